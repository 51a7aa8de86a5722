import { endpoint } from "../../http/Endpoint.ts"
import { area, mergeRequest, missing, named } from "../contract.ts"
import { MergeRequestDetail } from "../shapes.ts"

export const cancelAutoMerge = endpoint({
  name: "mergeRequests.cancelAutoMerge",
  area,
  method: "POST",
  path: `${mergeRequest}/cancel_merge_when_pipeline_succeeds`,
  summary: "Cancel the automatic merge of a merge request",
  description: "Nothing changes where it is not to be merged of itself.",
  access: "user",
  parameters: named,
  success: { status: 201, body: MergeRequestDetail },
  refusals: {
    ...missing,
    401: "The caller may not merge into the branch, and is not the author.",
    406: "It is closed."
  }
})
