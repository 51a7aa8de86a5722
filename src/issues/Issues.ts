// What other areas may use of issues.
export { closeByMerge } from "./closeByMerge.ts"
export { issuesPage } from "./page.ts"
export { presentBasic, type View } from "./present.ts"
export { type IssueFilter, IssueQueries, type IssueRow } from "./Queries.ts"
export { requireIdentity as requireIssueIdentity } from "./requireIssue.ts"
export { seenAmong } from "./seenAmong.ts"
export { BasicIssue } from "./shapes.ts"
