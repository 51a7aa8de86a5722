import { Effect } from "effect"
import type { Listed } from "../http/answer/pagination.ts"
import { pageOfDescribed } from "../issuables/descriptions.ts"
import { IssueQueries, type IssueRow, type ListedIssueRow } from "./Queries.ts"

/** A page of issues; long descriptions come piece by piece. */
export const issuesPage = Effect.fnUntraced(function* <B extends object>(
  found: Listed<ListedIssueRow>,
  present: (row: IssueRow) => B
) {
  const { descriptionsOf } = yield* IssueQueries
  return yield* pageOfDescribed(found, present, descriptionsOf)
})
