import { endpoint } from "../../http/Endpoint.ts"
import { area, mergeRequest, missing, named } from "../contract.ts"
import { MergeRef, MergeRequestDetail } from "../shapes.ts"

export const mergeMergeRequest = endpoint({
  name: "mergeRequests.merge",
  area,
  method: "PUT",
  path: `${mergeRequest}/merge`,
  summary: "Merge a merge request",
  access: "user",
  parameters: {
    ...named,
    merge_commit_message: { kind: "string", description: "Message of the merge commit." },
    squash_commit_message: { kind: "string", description: "Message of the commit that its commits become." },
    squash: { kind: "boolean", description: "Whether its commits become one." },
    should_remove_source_branch: { kind: "boolean", description: "Whether the source branch is removed." },
    merge_when_pipeline_succeeds: {
      kind: "boolean",
      description: "Whether it is merged as soon as its pipeline has succeeded and nothing else stands in the way."
    },
    auto_merge: { kind: "boolean", description: "The same as `merge_when_pipeline_succeeds`." },
    sha: { kind: "string", description: "Full ID of the commit that the source branch is to have." }
  },
  success: { status: 200, body: MergeRequestDetail },
  refusals: {
    ...missing,
    401: "The caller may not merge into the branch.",
    405: "It is closed, a draft, without commits, or something else stands in the way; or there is nothing to wait for.",
    409: "The source branch has another commit than `sha`.",
    422: "Its commits do not fit into the branch."
  }
})

export const readMergeRef = endpoint({
  name: "mergeRequests.mergeRef",
  area,
  method: "GET",
  path: `${mergeRequest}/merge_ref`,
  summary: "Merge a merge request into a ref of its own",
  description: "The target branch stays as it is.",
  access: "anyone",
  parameters: named,
  success: { status: 200, body: MergeRef },
  refusals: { ...missing, 400: "It cannot be merged." }
})
