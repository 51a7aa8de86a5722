import { Effect } from "effect"
import { requireUnmodified } from "../../http/answer/conditional.ts"
import { notFound } from "../../http/answer/errors.ts"
import { pageIn } from "../../http/answer/pagination.ts"
import { noContent, ok, page } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { defined } from "../../kernel/defined.ts"
import { handle } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { changes } from "../../platform/repeats.ts"
import { projectAggregate } from "../aggregate.ts"
import type { Protection, RefKind } from "../events.ts"
import { Projects, type ProtectedRefRow, requireProject } from "../Projects.ts"
import { refuse } from "../refuse.ts"
import {
  changeProtectedBranch,
  listProtectedBranches,
  listProtectedTags,
  protectBranch,
  protectTag,
  readProtectedBranch,
  readProtectedTag,
  unprotectBranch,
  unprotectTag
} from "./contract.ts"
import { type LevelInput, levelsAfter, newLevels } from "./grants.ts"
import { newGrants } from "./newGrants.ts"
import { presentProtectedBranch, presentProtectedTag } from "./present.ts"

type ListRequest = Parameters<typeof requireProject>[0]

const listed = Effect.fnUntraced(function* (input: ListRequest, kind: RefKind) {
  const { project } = yield* requireProject(input, "manage_protected_refs")
  return yield* Projects.use((projects) => projects.protectedRefs(project.id, kind))
})

const named = Effect.fnUntraced(function* (projectId: number, kind: RefKind, name: string | null) {
  const rows = yield* Projects.use((projects) => projects.protectedRefs(projectId, kind))
  return rows.find((row) => row.name === name) ?? (yield* notFound)
})

const read = <P>(present: (row: ProtectedRefRow) => P, kind: RefKind) =>
  Effect.fnUntraced(function* (input: ListRequest & { readonly parameters: { readonly name: string | null } }) {
    const { project } = yield* requireProject(input, "manage_protected_refs")
    return ok(present(yield* named(project.id, kind, input.parameters.name)))
  })

interface ProtectionInput {
  readonly name: string
  readonly allowForcePush: boolean
  readonly push: ReadonlyArray<number>
  readonly merge: ReadonlyArray<number>
}

const protect = Effect.fnUntraced(function* (projectId: number, kind: RefKind, { merge, push, ...input }: ProtectionInput) {
  const id = yield* nextId("protected_ref")
  const protection: Protection = { ...input, id, kind, push: yield* newGrants(push), merge: yield* newGrants(merge) }
  return yield* refuse(handle(projectAggregate, projectId, { _tag: "Protect", protection }))
})

const unprotected = Effect.fnUntraced(function* (
  projectId: number,
  { kind, name }: Pick<Protection, "kind" | "name">,
  request: RequestInfo
) {
  const { updated_at } = yield* named(projectId, kind, name)
  yield* requireUnmodified(updated_at, request)
  return yield* refuse(handle(projectAggregate, projectId, { _tag: "Unprotect", kind, name }))
})

const unprotect = (kind: RefKind) =>
  Effect.fnUntraced(function* (input: ListRequest & { readonly parameters: { readonly name: string | null } }) {
    const { id } = (yield* requireProject(input, "manage_protected_refs")).project
    const name = input.parameters.name ?? ""
    yield* awaitReadModels(yield* changes(projectAggregate, id, unprotected(id, { kind, name }, input.request)))
    return noContent
  })

const listBranches = route(
  listProtectedBranches,
  Effect.fnUntraced(function* (input) {
    const search = (input.parameters.search ?? "").toLowerCase()
    const rows = (yield* listed(input, "branch")).filter(({ name }) => name.toLowerCase().includes(search))
    return page(pageIn(rows, input.parameters).map(presentProtectedBranch), rows.length)
  })
)

const addBranch = route(
  protectBranch,
  Effect.fnUntraced(function* (input) {
    const { parameters } = input
    const { project } = yield* requireProject(input, "manage_protected_refs")
    const protecting = protect(project.id, "branch", {
      name: parameters.name,
      allowForcePush: parameters.allow_force_push,
      push: newLevels(parameters.push_access_level, parameters.allowed_to_push),
      merge: newLevels(parameters.merge_access_level, parameters.allowed_to_merge)
    })
    yield* awaitReadModels(yield* changes(projectAggregate, project.id, protecting))
    return ok(presentProtectedBranch(yield* named(project.id, "branch", parameters.name)))
  })
)

/** The levels after a change, each with its id. */
const changed = Effect.fnUntraced(function* (present: ProtectedRefRow["push_access_levels"], inputs: ReadonlyArray<LevelInput>) {
  const { added, unchanged } = levelsAfter(present, inputs)
  return [...unchanged, ...(yield* newGrants(added))]
})

const changedBranch = Effect.fnUntraced(function* (projectId: number, given: Decoded<typeof changeProtectedBranch.parameters>) {
  const row = yield* named(projectId, "branch", given.name)
  const { allow_force_push, allowed_to_merge, allowed_to_push } = given
  const command = {
    _tag: "ChangeProtection",
    kind: "branch",
    name: row.name,
    ...defined({
      allowForcePush: allow_force_push ?? undefined,
      push: allowed_to_push ? yield* changed(row.push_access_levels, allowed_to_push) : undefined,
      merge: allowed_to_merge ? yield* changed(row.merge_access_levels, allowed_to_merge) : undefined
    })
  } as const
  return yield* refuse(handle(projectAggregate, projectId, command))
})

const changeBranch = route(
  changeProtectedBranch,
  Effect.fnUntraced(function* (input) {
    const { parameters } = input
    const { project } = yield* requireProject(input, "manage_protected_refs")
    yield* awaitReadModels(yield* changes(projectAggregate, project.id, changedBranch(project.id, parameters)))
    return ok(presentProtectedBranch(yield* named(project.id, "branch", parameters.name)))
  })
)

const listTags = route(
  listProtectedTags,
  Effect.fnUntraced(function* (input) {
    const rows = yield* listed(input, "tag")
    return page(pageIn(rows, input.parameters).map(presentProtectedTag), rows.length)
  })
)

const addTag = route(
  protectTag,
  Effect.fnUntraced(function* (input) {
    const { parameters } = input
    const { project } = yield* requireProject(input, "manage_protected_refs")
    const push = newLevels(parameters.create_access_level, parameters.allowed_to_create)
    const protecting = protect(project.id, "tag", { name: parameters.name, allowForcePush: false, push, merge: [] })
    yield* awaitReadModels(yield* changes(projectAggregate, project.id, protecting))
    return ok(presentProtectedTag(yield* named(project.id, "tag", parameters.name)))
  })
)

export const protectionRoutes = [
  listBranches,
  route(readProtectedBranch, read(presentProtectedBranch, "branch")),
  addBranch,
  changeBranch,
  route(unprotectBranch, unprotect("branch")),
  listTags,
  route(readProtectedTag, read(presentProtectedTag, "tag")),
  addTag,
  route(unprotectTag, unprotect("tag"))
]
