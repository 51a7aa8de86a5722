import { Effect } from "effect"
import { requireGroup } from "../groups/requireGroup.ts"
import type { Caller } from "../http/access/Caller.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { accessLevel } from "../members/levels.ts"
import { can, requireProject } from "../projects/Projects.ts"
import type { Parent } from "./Parent.ts"

/** What may be done with what belongs to a parent. */
export type Right = "read_labels" | "manage_labels" | "read_milestones" | "manage_milestones"

/** The parent that a request names, with what the caller may do there. */
export interface FoundParent {
  readonly parent: Parent
  readonly may: (right: Right) => boolean
}

/** The part of a handler's input that names a parent: `id` is its id or full path. */
export interface ParentInput {
  readonly parameters: { readonly id: string | null }
  readonly caller: Caller | undefined
  readonly request: RequestInfo
}

/** The project of a request; fails as `requireProject`. */
export const inProject = Effect.fnUntraced(function* (input: ParentInput) {
  const { principal, project } = yield* requireProject(input)
  const found: FoundParent = { parent: { kind: "project", id: project.id }, may: (right) => can(right, principal, project) }
  return found
})

const mayManage = (caller: Caller | undefined, role: number): boolean =>
  caller?.user.admin === true || role >= accessLevel.reporter

/** The group of a request; fails as `requireGroup`. Whoever may read a group reads its labels and milestones too. */
export const inGroup = Effect.fnUntraced(function* (input: ParentInput) {
  const { namespace, role } = yield* requireGroup(input)
  const found: FoundParent = {
    parent: { kind: "group", id: namespace.id },
    may: (right) => right.startsWith("read_") || mayManage(input.caller, role)
  }
  return found
})
