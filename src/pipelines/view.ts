import { Effect } from "effect"
import { ok } from "../http/answer/Reply.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import type { ReadableProject } from "../projects/Projects.ts"
import { presentDetail } from "./present.ts"
import { type PipelineDetails, PipelineQueries } from "./Queries.ts"
import { requirePipeline } from "./requirePipeline.ts"

/** Answers with a pipeline on its own. */
export const answer = Effect.fnUntraced(function* (
  row: PipelineDetails,
  { project }: ReadableProject,
  { externalUrl }: RequestInfo
) {
  const spans = yield* PipelineQueries.use((pipelines) => pipelines.spans(row.id))
  return ok(presentDetail(row, spans, { project, externalUrl }))
})

/** Answers with a pipeline as read models show it now. */
export const answerAnew = Effect.fnUntraced(function* (guarded: ReadableProject, id: number, request: RequestInfo) {
  return yield* answer(yield* requirePipeline(guarded, id), guarded, request)
})
