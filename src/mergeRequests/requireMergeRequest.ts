import { Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { forbidden, notFound } from "../http/answer/errors.ts"
import type { UserReferenceRow } from "../http/answer/shapes.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { load } from "../platform/Commands.ts"
import { can, type ReadableProject } from "../projects/Projects.ts"
import { mergeRequestAggregate } from "./decisions/aggregate.ts"
import { isPresent, type MergeRequest } from "./decisions/state.ts"
import type { MergeRequestKey } from "./ids.ts"
import { MergeRequestQueries, type MergeRequestRow } from "./Queries.ts"

/** What requests for something of a merge request have. */
export interface OfMergeRequest {
  readonly parameters: { readonly id: string | null; readonly merge_request_iid: number | null }
  readonly caller: Caller | undefined
  readonly request: RequestInfo
}

const find = Effect.fnUntraced(function* ({ project }: ReadableProject, iid: number | null) {
  const found = iid === null ? undefined : yield* MergeRequestQueries.use((requests) => requests.find(project.id, iid))
  return found ?? (yield* notFound)
})

const identify = Effect.fnUntraced(function* ({ project }: ReadableProject, iid: number | null) {
  const found = iid === null ? undefined : yield* MergeRequestQueries.use((requests) => requests.identify(project.id, iid))
  return found ?? (yield* notFound)
})

export const mayRead = ({ principal, project }: ReadableProject): boolean => can("read_merge_requests", principal, project)

/** A merge request of the project: 404 for none, 403 for who may not see merge requests here. */
export const requireMergeRequest = Effect.fnUntraced(function* (found: ReadableProject, iid: number | null) {
  const row = yield* find(found, iid)
  return mayRead(found) ? row : yield* forbidden
})

/** A merge request of the project as the log has it, which is what a change of it depends on: fails in the same way. */
export const requirePresent = Effect.fnUntraced(function* (found: ReadableProject, key: MergeRequestKey) {
  const { state } = yield* load(mergeRequestAggregate, key)
  if (!isPresent(state)) return yield* notFound
  return mayRead(found) ? state : yield* forbidden
})

/** The same where it is looked for among those that the caller may see: 404 for none of them. */
export const requireVisible = Effect.fnUntraced(function* (found: ReadableProject, iid: number | null) {
  return mayRead(found) ? yield* find(found, iid) : yield* notFound
})

/** Both for what hangs on a merge request, without its texts and people. */
export const requireIdentity = Effect.fnUntraced(function* (found: ReadableProject, iid: number | null) {
  const identity = yield* identify(found, iid)
  return mayRead(found) ? identity : yield* forbidden
})

export const requireVisibleIdentity = Effect.fnUntraced(function* (found: ReadableProject, iid: number | null) {
  return mayRead(found) ? yield* identify(found, iid) : yield* notFound
})

interface Involved extends Pick<MergeRequestRow, "author_id"> {
  readonly assignees: ReadonlyArray<Pick<UserReferenceRow, "id">>
}

/** Who opened a merge request and who works on it, as the log has it. */
export const involvedIn = ({ attributes, authorId }: MergeRequest): Involved => ({
  author_id: authorId,
  assignees: attributes.assigneeIds.map((id) => ({ id }))
})

/** Whether somebody opened a merge request or works on it, and may still see it. */
export const isInvolved = (
  { principal, project }: ReadableProject,
  { assignees, author_id }: Involved,
  userId: number
): boolean => {
  const hasPart = author_id === userId || assignees.some(({ id }) => id === userId)
  return hasPart && !project.archived && can("read_merge_requests", principal, project)
}

/** Whether somebody may change a merge request: Developers, its author, and who works on it. */
export const mayUpdate = (found: ReadableProject, row: Involved, userId: number): boolean =>
  can("update_merge_request", found.principal, found.project) || isInvolved(found, row, userId)

/** A merge request that the caller may change: 404 for none, 403 for who may not. */
export const requireChangeable = Effect.fnUntraced(function* (found: ReadableProject, iid: number | null, { user }: Caller) {
  const row = yield* requireMergeRequest(found, iid)
  return mayUpdate(found, row, user.id) ? row : yield* forbidden
})
