import { Schema } from "effect"
import { integer } from "../../http/answer/fields.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { area, mergeRequest, missing, named } from "../contract.ts"
import { ListedMergeRequest } from "../shapes.ts"

const blocks = `${mergeRequest}/blocks` as const

export const MergeRequestBlock = Schema.Struct({
  id: integer("ID of the block."),
  blocking_merge_request: Schema.optionalKey(ListedMergeRequest).annotateKey({
    description: "What has to be merged first, for those who may see it."
  }),
  blocked_merge_request: ListedMergeRequest.annotateKey({ description: "What waits for that." }),
  project_id: integer("ID of the project of what waits.")
}).annotate({ identifier: "MergeRequestBlock" })

export const listBlocks = endpoint({
  name: "mergeRequests.blocks",
  area,
  method: "GET",
  path: blocks,
  summary: "List what has to be merged before a merge request",
  access: "anyone",
  parameters: named,
  paginated: true,
  success: { status: 200, body: Schema.Array(MergeRequestBlock) },
  refusals: { ...missing, 403: "Merge requests are not shown to the caller." }
})

export const createBlock = endpoint({
  name: "mergeRequests.createBlock",
  area,
  method: "POST",
  path: blocks,
  summary: "Let a merge request wait for another one",
  access: "user",
  parameters: {
    ...named,
    blocking_merge_request_id: {
      kind: "integer",
      required: true,
      description: "ID of the merge request that has to be merged first.",
      example: 2
    }
  },
  success: { status: 201, body: MergeRequestBlock },
  refusals: {
    ...missing,
    400: "They would wait for each other, or it waits for too many.",
    403: "The caller may not change it.",
    409: "It waits for that already."
  }
})

export const deleteBlock = endpoint({
  name: "mergeRequests.deleteBlock",
  area,
  method: "DELETE",
  path: `${blocks}/:block_id`,
  summary: "Let a merge request wait for another one no more",
  access: "user",
  parameters: {
    ...named,
    block_id: { kind: "integer", required: true, description: "ID of the block.", example: 1 }
  },
  success: { status: 204 },
  refusals: { ...missing, 403: "The caller may not change it." }
})
