import { Effect } from "effect"
import { versionKey } from "../../changelog/versionOrder.ts"
import { readTag as readAnnotated } from "../../git/objects/annotatedTag.ts"
import { tagRef } from "../../git/refs/refNames.ts"
import { listTags as list, type Tag } from "../../git/refs/refs.ts"
import { requireUnmodified } from "../../http/answer/conditional.ts"
import { badRequest, forbidden, thingNotFound, WireError } from "../../http/answer/errors.ts"
import { noContent, ok } from "../../http/answer/Reply.ts"
import { guardedRoute, type Input } from "../../http/Endpoint.ts"
import { mapInSlices, sortInSlices } from "../../kernel/inSlices.ts"
import { makes } from "../../platform/repeats.ts"
import { can } from "../../projects/Projects.ts"
import { policyOf, pushRefusals } from "../../pushes/Pushes.ts"
import { answerSignature, noSignature } from "../commits/signature.ts"
import { type OpenRepository, openCode } from "../openRepository.ts"
import { type MoveRef, moveRefFromTip } from "../refs/moveRef.ts"
import { refPage } from "../refs/page.ts"
import { requireTag, tagTarget } from "../refs/requireRef.ts"
import { searched } from "../refs/search.ts"
import { createTag, deleteTag, listTags, readTag, readTagSignature } from "./contract.ts"
import { makeTag, requireTagName, rulesOf } from "./makeTag.ts"
import { authoredAt, presentTag, presentTags } from "./view.ts"

type Order = "name" | "updated" | "version"

/** Their versions are taken apart once each. */
const byVersion = Effect.fnUntraced(function* (tags: ReadonlyArray<Tag>, sign: number) {
  const keyed = yield* mapInSlices(tags, (tag) => ({ tag, key: versionKey(tag.name) }))
  const inOrder = yield* sortInSlices(keyed, ({ key: one }, { key: other }) => (one < other ? -sign : one > other ? sign : 0))
  return yield* mapInSlices(inOrder, ({ tag }) => tag)
})

/** Given by name, in which order those that are otherwise equal stay. */
const sorted = (tags: ReadonlyArray<Tag>, by: Order, direction: "asc" | "desc"): Effect.Effect<ReadonlyArray<Tag>> => {
  const sign = direction === "asc" ? 1 : -1
  switch (by) {
    case "name":
      return Effect.succeed(direction === "asc" ? tags : tags.toReversed())
    case "updated":
      return sortInSlices(tags, (one, other) => sign * (one.createdSeconds - other.createdSeconds))
    case "version":
      return byVersion(tags, sign)
  }
}

const listRoute = guardedRoute(
  listTags,
  openCode,
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const { order_by, search, sort } = parameters
    const all: ReadonlyArray<Tag> = yield* Effect.orDie(list(guarded.repository))
    const found: ReadonlyArray<Tag> = yield* searched(yield* sorted(all, order_by, sort), search)
    const { pages, shown } = yield* refPage("tags", found, parameters)
    return { body: yield* presentTags(guarded, shown, request), ...pages }
  })
)

const readRoute = guardedRoute(
  readTag,
  openCode,
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const tag = yield* requireTag(guarded.repository, parameters.tag_name)
    return ok(yield* presentTag(guarded, tag, request))
  })
)

const signatureRoute = guardedRoute(
  readTagSignature,
  openCode,
  Effect.fnUntraced(function* ({ guarded: { repository }, parameters, request: { externalUrl } }) {
    const { target: id } = yield* requireTag(repository, parameters.tag_name)
    const tag = yield* Effect.orDie(readAnnotated(repository, id))
    // A tag that is not annotated has no signature, though its commit may have one.
    return yield* tag === undefined
      ? noSignature
      : answerSignature({ repository, id, email: tag.tagger?.email ?? "", externalUrl })
  })
)

const noTag = thingNotFound("Tag")
const mayNotCreate = badRequest(pushRefusals.createProtectedTag)
const isProtected = new WireError({ status: 403, body: { message: pushRefusals.deleteProtectedTag } })

const create = guardedRoute(
  createTag,
  openCode,
  Effect.fnUntraced(function* (input) {
    const { caller, guarded, parameters, request } = input
    const { project, repository, principal } = guarded
    if (!can("create_tag", principal, project)) return yield* forbidden
    const name = parameters.tag_name ?? ""
    yield* requireTagName(name)
    const { ref } = parameters
    const make = { caller, open: guarded, name, ref, message: parameters.message, request, mayNotCreate }
    yield* makes(
      () => tagTarget(repository, name),
      (time) => makeTag(make, time)
    )
    return ok(yield* presentTag(guarded, yield* requireTag(repository, name), request))
  })
)

type Removal = Input<typeof deleteTag.parameters, "user"> & { readonly guarded: OpenRepository }

const removed = Effect.fnUntraced(function* (
  { guarded, parameters, request }: Removal,
  time: Effect.Effect<number>,
  move: MoveRef
) {
  const { principal, project, repository } = guarded
  const tag = yield* requireTag(repository, parameters.tag_name)
  if (!can("delete_tag", principal, project)) return yield* forbidden
  const policy = yield* policyOf(guarded, principal)
  if (rulesOf(policy, tag.name).length > 0 && !policy.isMaintainer) return yield* isProtected
  const authored = yield* authoredAt(guarded, tag)
  yield* requireUnmodified(authored, request)
  yield* time
  yield* move({ name: tagRef(tag.name), from: tag.target, to: null })
  return noContent
})

const remove = guardedRoute(deleteTag, openCode, (input) => {
  const { project, repository } = input.guarded
  return makes(
    () => Effect.map(tagTarget(repository, input.parameters.tag_name ?? ""), (at) => (at === undefined ? noContent : undefined)),
    (time) =>
      moveRefFromTip(project.id, tagRef(input.parameters.tag_name ?? ""), {
        attempt: (move) => removed(input, time, move),
        lost: () => noTag
      })
  )
})

export const tagRoutes = [listRoute, readRoute, signatureRoute, create, remove]
