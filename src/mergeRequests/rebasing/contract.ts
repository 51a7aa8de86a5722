import { Schema } from "effect"
import { flag } from "../../http/answer/fields.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { area, mergeRequest, missing, named } from "../contract.ts"

const RebaseState = Schema.Struct({ rebase_in_progress: flag("Whether it is being rebased: false where that is over already.") })

export const rebaseMergeRequest = endpoint({
  name: "mergeRequests.rebase",
  area,
  method: "PUT",
  path: `${mergeRequest}/rebase`,
  summary: "Rebase a merge request",
  description: "The commits are replayed on the target branch in the background. Where that fails, `merge_error` tells so.",
  access: "user",
  parameters: { ...named, skip_ci: { kind: "boolean", description: "Whether the source branch moves without a pipeline." } },
  success: { status: 202, body: RebaseState.annotate({ identifier: "RebaseState" }) },
  refusals: {
    ...missing,
    403: "The source branch is not there, or the caller may not move it.",
    409: "It is not open, or is being rebased already."
  }
})
