// What other areas may use of pipelines.
export { isCompleted, type Status } from "./status.ts"
export { externalStage } from "./statuses/stage.ts"
