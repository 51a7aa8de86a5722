import { idIn } from "../kernel/streamIds.ts"

const prefix = "pipeline-"

/** The stream of a pipeline. */
export const pipelineStream = (id: number): string => `${prefix}${id}`

/** The pipeline whose stream this is; undefined for a stream of anything else. */
export const pipelineIdOf = (stream: string): number | undefined => idIn(prefix, stream)

/** The name of the reactor that makes the pipelines of pushes. */
export const pushReactor = "pipelines"
