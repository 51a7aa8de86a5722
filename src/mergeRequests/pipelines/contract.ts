import { Schema } from "effect"
import { endpoint } from "../../http/Endpoint.ts"
import { PipelineDetail, PipelineReference } from "../../pipelines/Pipelines.ts"
import { area, mergeRequest, missing, named } from "../contract.ts"

const path = `${mergeRequest}/pipelines` as const

export const listMergeRequestPipelines = endpoint({
  name: "mergeRequests.pipelines",
  area,
  method: "GET",
  path,
  summary: "List the pipelines of a merge request",
  description:
    "Those that were made for it come first, then those of its branch for commits that it has, or had, as its last one.",
  access: "anyone",
  parameters: named,
  paginated: true,
  success: { status: 200, body: Schema.Array(PipelineReference) },
  refusals: { ...missing, 403: "Merge requests are not shown to the caller." }
})

export const createMergeRequestPipeline = endpoint({
  name: "mergeRequests.createPipeline",
  area,
  method: "POST",
  path,
  summary: "Make a pipeline for a merge request",
  description:
    "It has those jobs of the configuration that are for merge requests. For a fork it runs in the project of the merge request where the caller may make pipelines there, else in the fork.",
  access: "user",
  parameters: named,
  success: { status: 200, body: PipelineDetail },
  refusals: {
    ...missing,
    400: "No configuration, or one with no job for merge requests; or the caller may not make it.",
    403: "Merge requests are not shown to the caller.",
    405: "It has no commits."
  }
})
