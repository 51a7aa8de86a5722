// What other areas may use of pipelines.
export { createPipeline } from "./creation/createPipeline.ts"
export { mayUse, nameRef, targetOf } from "./creation/refs.ts"
export { type Place, presentReference } from "./present.ts"
export { type PipelineFilter, PipelineQueries, type PipelineRow } from "./Queries.ts"
export { PipelineReference } from "./shapes.ts"
export { isCompleted, openStatuses, type Status, statuses } from "./status.ts"
export { externalStage, externalStageIndex } from "./statuses/stage.ts"
export type { PipelineVariable } from "./variables.ts"
