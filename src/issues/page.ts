import { Effect } from "effect"
import type { Listed } from "../http/answer/pagination.ts"
import { page, revalidate } from "../http/answer/Reply.ts"
import { longList } from "../issuables/longLists.ts"
import { IssueQueries, type IssueRow, type ListedIssueRow } from "./Queries.ts"

/** A page of issues; long descriptions come piece by piece. */
export const issuesPage = Effect.fnUntraced(function* <B extends object>(
  { extent, rows }: Listed<ListedIssueRow>,
  present: (row: IssueRow) => B
) {
  if (!rows.some((row) => row.description_is_left_out)) return page(rows.map(present), extent)
  const { descriptionsOf } = yield* IssueQueries
  return { body: yield* longList({ rows, present, descriptionsOf }), extent, headers: revalidate }
})
