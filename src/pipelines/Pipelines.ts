// What other areas may use of pipelines.
export { isCompleted, type Status } from "./status.ts"
export { externalStage, externalStageIndex } from "./statuses/stage.ts"
