import type { Caller } from "../../http/access/Caller.ts"
import { can, type ReadableProject } from "../../projects/Projects.ts"
import type { MergeRequestRow } from "../Queries.ts"
import { isInvolved } from "../requireMergeRequest.ts"

/** Developers may approve, and so may members who opened the merge request or work on it. */
export const mayApprove = (found: ReadableProject, row: MergeRequestRow, { user }: Caller): boolean =>
  can("approve_merge_request", found.principal, found.project) || (found.role > 0 && isInvolved(found, row, user.id))
