import { Schema } from "effect"
import { endpoint } from "../../http/Endpoint.ts"
import { BasicIssue } from "../../issues/Issues.ts"
import { area, mergeRequest, missing, named } from "../contract.ts"

const success = { status: 200, body: Schema.Array(BasicIssue), mayStream: true } as const
const refusals = { ...missing, 403: "Merge requests are not shown to the caller." }

export const listClosedIssues = endpoint({
  name: "mergeRequests.closesIssues",
  area,
  method: "GET",
  path: `${mergeRequest}/closes_issues`,
  summary: "List the issues that a merge request closes",
  description:
    "Those that its title, its description or a commit says are closed, such as `Closes #3`, where it leads into the default branch.",
  access: "anyone",
  parameters: named,
  paginated: true,
  success,
  refusals
})

export const listRelatedIssues = endpoint({
  name: "mergeRequests.relatedIssues",
  area,
  method: "GET",
  path: `${mergeRequest}/related_issues`,
  summary: "List the issues that a merge request names",
  description: "Those that its title, its description or a commit names, whether they are closed by it or not.",
  access: "anyone",
  parameters: named,
  paginated: true,
  success,
  refusals
})
