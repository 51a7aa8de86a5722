import { Effect } from "effect"
import { badRequest, forbidden, notFound, WireError } from "../../http/answer/errors.ts"
import { pageIn } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { defined } from "../../kernel/defined.ts"
import { load } from "../../platform/Commands.ts"
import { type ReadableProject, requireProject } from "../../projects/Projects.ts"
import { type Refusal, releaseAggregate } from "../aggregate.ts"
import type { Link } from "../events.ts"
import type { ReleaseKey } from "../ids.ts"
import { presentLink } from "../present.ts"
import { ReleaseQueries } from "../Queries.ts"
import { type ReleaseInput, requireWritable } from "../requireRelease.ts"
import { addLink, before, changeLink, removeLink } from "../writes.ts"
import {
  addLink as declaredAddition,
  changeLink as declaredChange,
  removeLink as declaredRemoval,
  listLinks,
  readLink
} from "./contract.ts"
import { linkOf, pathOf } from "./linkOf.ts"

const keyOf = ({ project }: ReadableProject, { parameters }: ReleaseInput): ReleaseKey => ({
  projectId: project.id,
  tag: parameters.tag_name ?? ""
})

const presenter = ({ project }: ReadableProject, tag: string, { request: { externalUrl } }: ReleaseInput) => {
  const place = { externalUrl, projectPath: project.path_with_namespace }
  return (link: Link) => presentLink(link, tag, place)
}

/** The links of a release for who may see it. */
const readable = Effect.fnUntraced(function* (input: ReleaseInput) {
  const found = yield* requireProject(input, "read_releases")
  const row = yield* ReleaseQueries.use((releases) => releases.find(keyOf(found, input)))
  const { links, tag } = row ?? (yield* notFound)
  return { links, present: presenter(found, tag, input) }
})

const list = route(
  listLinks,
  Effect.fnUntraced(function* (input) {
    const { links, present } = yield* readable(input)
    return page(pageIn(links, { ...input.parameters }).map(present), links.length)
  })
)

const read = route(
  readLink,
  Effect.fnUntraced(function* (input) {
    const { links, present } = yield* readable(input)
    return ok(present(links.find(({ id }) => id === input.parameters.link_id) ?? (yield* notFound)))
  })
)

const refuse = <A, R>(written: Effect.Effect<A, Refusal | WireError, R>) =>
  Effect.catchTags(written, {
    LinkInvalid: ({ sentences }) => Effect.fail(new WireError({ status: 400, body: { message: sentences } })),
    LinkMissing: () => Effect.fail(notFound),
    ReleaseMissing: () => Effect.fail(notFound),
    TooManyLinks: ({ message }) => Effect.fail(badRequest(message)),
    ReleaseExists: Effect.die,
    ReleaseInvalid: Effect.die
  })

/** What is done with links of a release that is there. */
const writable = Effect.fnUntraced(function* (input: ReleaseInput) {
  const found = yield* requireWritable(input, forbidden)
  const key = keyOf(found, input)
  return { key, by: found.caller.user.id, present: presenter(found, key.tag, input) }
})

const linkIn = Effect.fnUntraced(function* (key: ReleaseKey, ids: ReadonlyArray<number>) {
  const row = yield* ReleaseQueries.use((releases) => releases.find(key))
  return row?.links.find(({ id }) => ids.includes(id)) ?? (yield* notFound)
})

const add = route(
  declaredAddition,
  Effect.fnUntraced(function* (input) {
    const { by, key, present } = yield* writable(input)
    if ((yield* load(releaseAggregate, key)).state === undefined) return yield* notFound
    const added = yield* refuse(addLink(key, by, linkOf(input.parameters)))
    yield* awaitReadModels(added)
    const ids = added.events.flatMap((event) => (event._tag === "ReleaseLinkAdded" ? [event.link.id] : []))
    return ok(present(yield* linkIn(key, ids)))
  })
)

const change = route(
  declaredChange,
  Effect.fnUntraced(function* (input) {
    const { link_id, link_type, name, url } = input.parameters
    const { by, key, present } = yield* writable(input)
    const id = link_id ?? (yield* notFound)
    const wanted = {
      ...defined({ name: name ?? undefined, url: url ?? undefined, path: pathOf(input.parameters) }),
      type: link_type
    }
    yield* awaitReadModels(yield* refuse(changeLink(key, by, id, wanted)))
    return ok(present(yield* linkIn(key, [id])))
  })
)

/** A link that an earlier run of the request removed. */
const removedLink = Effect.fnUntraced(function* (key: ReleaseKey, id: number) {
  const remains = yield* before(key, "ReleaseLinkRemoved", id)
  return remains?.state.links.find((link) => link.id === id)
})

const remove = route(
  declaredRemoval,
  Effect.fnUntraced(function* (input) {
    const { by, key, present } = yield* writable(input)
    const id = input.parameters.link_id ?? (yield* notFound)
    const row = yield* ReleaseQueries.use((releases) => releases.find(key))
    yield* awaitReadModels(yield* refuse(removeLink(key, by, id)))
    const link = row?.links.find((each) => each.id === id) ?? (yield* removedLink(key, id)) ?? (yield* notFound)
    return ok(present(link))
  })
)

export const linkRoutes = [list, read, add, change, remove]
