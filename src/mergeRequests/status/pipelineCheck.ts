/** What of the pipeline of the last commit counts for merging. */
export interface PipelineFacts {
  /** Whether the project wants a pipeline that succeeded, or the merge waits for one. */
  readonly isRequired: boolean
  /** Undefined where the last commit has no pipeline. */
  readonly status: string | undefined
  readonly acceptsSkipped: boolean
}

/** Gap: of the states that the reference service is not seen in here, those in which a pipeline may yet succeed count as running. */
const unfinished: ReadonlySet<string> = new Set([
  "created",
  "waiting_for_resource",
  "preparing",
  "waiting_for_callback",
  "pending",
  "running",
  "manual",
  "scheduled"
])

interface Settings {
  readonly only_allow_merge_if_pipeline_succeeds: boolean
  readonly allow_merge_on_skipped_pipeline: boolean
}

/** What counts under the settings of a project; what is to be merged of itself waits for its pipeline, if it has one. */
export const pipelineFactsOf = (settings: Settings, status: string | undefined, isAutoMerge: boolean): PipelineFacts => ({
  isRequired: settings.only_allow_merge_if_pipeline_succeeds || (isAutoMerge && status !== undefined),
  status,
  acceptsSkipped: settings.allow_merge_on_skipped_pipeline
})

/** Whether a pipeline may yet succeed. */
export const isUnfinished = (status: string | undefined): boolean => status !== undefined && unfinished.has(status)

/** Why the pipeline keeps a merge request from being merged; undefined where it does not. */
export const pipelineCheck = ({ acceptsSkipped, isRequired, status }: PipelineFacts) => {
  if (!isRequired || status === "success" || (status === "skipped" && acceptsSkipped)) return undefined
  return isUnfinished(status) ? "ci_still_running" : "ci_must_pass"
}
