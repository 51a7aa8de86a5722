import { Effect } from "effect"
import type { Caller } from "../../http/access/Caller.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import { assigneesIn, newPeople, peopleAmong } from "../../issuables/people.ts"
import { defined } from "../../kernel/defined.ts"
import { can, Projects, principalOf, type ReadableProject } from "../../projects/Projects.ts"
import { isProtectedRef, policyOf } from "../../pushes/Pushes.ts"
import type { changeMergeRequest, createMergeRequest } from "../contract.ts"
import type { MergeRequest, Present } from "../decisions/state.ts"
import type { Attributes } from "../events.ts"
import type { NewUpdate } from "./change.ts"
import { labelingIn } from "./labeling.ts"

export type Creation = Omit<Decoded<(typeof createMergeRequest)["parameters"]>, "id">
type Change = Decoded<(typeof changeMergeRequest)["parameters"]>
/** What may be changed. */
export type Settings = Omit<Change, "id" | "merge_request_iid">
type Reviewing = Pick<Change, "reviewer_ids">

const reviewersIn = ({ reviewer_ids }: Reviewing): ReadonlyArray<number> | undefined =>
  reviewer_ids === null ? [] : reviewer_ids

interface Both {
  readonly source: ReadableProject
  readonly target: ReadableProject
}

/** Whether those who may merge may be let to push to the source branch: of a fork, not private, by somebody who may push there. */
const mayAllowCollaboration = Effect.fnUntraced(function* ({ source, target }: Both, branch: string) {
  if (source.project.id === target.project.id) return false
  if (source.project.visibility === "private" || target.project.visibility === "private") return false
  if (!can("push_code", source.principal, source.project)) return false
  return !isProtectedRef(yield* policyOf(source, source.principal), { name: branch, isTag: false })
})

const wantsCollaboration = (parameters: Creation | Settings): boolean | undefined =>
  parameters.allow_collaboration ?? parameters.allow_maintainer_to_push ?? undefined

/** What people of a merge request have to be able to do. */
const seeing = "read_merge_requests"

/** The attributes, labels and milestone of a new merge request. What the caller may not set is left out without a word. */
export const settingsOf = Effect.fnUntraced(function* (parameters: Creation, projects: Both) {
  const { source, target } = projects
  const setsPeople = can("update_merge_request", target.principal, target.project)
  const attributes: Attributes = {
    title: parameters.title ?? "",
    description: parameters.description ?? null,
    targetBranch: parameters.target_branch ?? "",
    assigneeIds: setsPeople ? yield* peopleAmong(assigneesIn(parameters) ?? [], target, seeing) : [],
    reviewerIds: setsPeople ? yield* peopleAmong(reviewersIn(parameters) ?? [], target, seeing) : [],
    squash: parameters.squash === true,
    removesSourceBranch: parameters.remove_source_branch === true && can("push_code", source.principal, source.project),
    allowsCollaboration:
      wantsCollaboration(parameters) === true && (yield* mayAllowCollaboration(projects, parameters.source_branch ?? "")),
    isDiscussionLocked: null
  }
  return { attributes, ...defined({ labeling: setsPeople ? yield* labelingIn(parameters, target) : undefined }) }
})

interface Changing {
  readonly target: ReadableProject
  readonly caller: Pick<Caller, "user">
}

/** The project with the source branch as the caller has it; undefined where it is gone. */
const sourceOf = Effect.fnUntraced(function* ({ source }: MergeRequest, { caller, target }: Changing) {
  if (source.projectId === target.project.id) return target
  const found = yield* Projects.use((projects) => projects.find(String(source.projectId), caller.user.id))
  return found && { ...found, principal: principalOf(caller, found.role) }
})

const sourceChanges = Effect.fnUntraced(function* (parameters: Settings, request: MergeRequest, changing: Changing) {
  const { remove_source_branch } = parameters
  const collaboration = wantsCollaboration(parameters)
  if (remove_source_branch === undefined && collaboration === undefined) return {}
  const source = yield* sourceOf(request, changing)
  if (source === undefined || !can("push_code", source.principal, source.project)) return {}
  return defined({
    removesSourceBranch: remove_source_branch ?? undefined,
    allowsCollaboration:
      collaboration && (yield* mayAllowCollaboration({ source, target: changing.target }, request.source.branch))
  })
})

/** Where it is to be merged into stays as it is where it is closed or merged and its fork is gone, whatever else becomes of it. */
const targetBranchIn = Effect.fnUntraced(function* ({ target_branch }: Settings, { _tag, request }: Present, changing: Changing) {
  if (target_branch === undefined || target_branch === null) return undefined
  const isOver = _tag === "Closed" || _tag === "Merged"
  return isOver && (yield* sourceOf(request, changing)) === undefined ? undefined : target_branch
})

/** What is asked for, as far as the caller may change it. */
export const changesOf = Effect.fnUntraced(function* (parameters: Settings, state: Present, changing: Changing) {
  const { request } = state
  const { target } = changing
  const isDeveloper = can("update_merge_request", target.principal, target.project)
  const { description } = parameters
  const changes = defined({
    title: parameters.title ?? undefined,
    description,
    targetBranch: yield* targetBranchIn(parameters, state, changing),
    squash: parameters.squash ?? undefined,
    assigneeIds: isDeveloper ? yield* newPeople(assigneesIn(parameters), target, seeing) : undefined,
    reviewerIds: isDeveloper ? yield* newPeople(reviewersIn(parameters), target, seeing) : undefined,
    isDiscussionLocked: isDeveloper ? (parameters.discussion_locked ?? undefined) : undefined
  })
  const update: Omit<NewUpdate, "by"> = {
    changes: { ...changes, ...(yield* sourceChanges(parameters, request, changing)) },
    ...defined({
      labeling: isDeveloper ? yield* labelingIn(parameters, target, request.labelIds) : undefined,
      transition: parameters.state_event ?? undefined
    })
  }
  return update
})
