import { Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { notFound } from "../http/answer/errors.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { can, type ReadableProject } from "../projects/Projects.ts"
import { type IssueIdentity, IssueQueries } from "./Queries.ts"

/** What requests for something of an issue have. */
export interface OfIssue {
  readonly parameters: { readonly id: string | null; readonly issue_iid: number | null }
  readonly caller: Caller | undefined
  readonly request: RequestInfo
}

type Involved = Pick<IssueIdentity, "assignees" | "author_id">

/** Whether somebody opened an issue, or works on it. */
export const isInvolved = ({ assignees, author_id }: Involved, userId: number | undefined): boolean =>
  userId !== undefined && (author_id === userId || assignees.some(({ id }) => id === userId))

/** Whether somebody sees an issue: confidential ones are for Reporters, and who is involved. */
export const mayRead = (
  { principal, project }: Pick<ReadableProject, "principal" | "project">,
  row: Involved & Pick<IssueIdentity, "is_confidential">,
  userId: number | undefined
): boolean =>
  can("read_issues", principal, project) &&
  (!row.is_confidential || can("read_confidential_issues", principal, project) || isInvolved(row, userId))

/** An issue of the project that the caller may see: 404 for none. */
export const requireIssue = Effect.fnUntraced(function* (found: ReadableProject, iid: number | null, userId: number | undefined) {
  const row = iid === null ? undefined : yield* IssueQueries.use((issues) => issues.find(found.project.id, iid))
  return row !== undefined && mayRead(found, row, userId) ? row : yield* notFound
})

/** The same for what hangs on an issue, without its texts. */
export const requireIdentity = Effect.fnUntraced(function* (
  found: ReadableProject,
  iid: number | null,
  userId: number | undefined
) {
  const row = iid === null ? undefined : yield* IssueQueries.use((issues) => issues.identify(found.project.id, iid))
  return row !== undefined && mayRead(found, row, userId) ? row : yield* notFound
})

/** Whether somebody who sees an issue may change its texts and its state: Reporters, and who is involved. */
export const mayUpdate = ({ principal, project }: ReadableProject, row: Involved, userId: number): boolean =>
  can("update_issue", principal, project) || (isInvolved(row, userId) && !project.archived)
