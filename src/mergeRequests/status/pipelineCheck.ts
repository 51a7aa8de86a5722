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

/** Why the pipeline keeps a merge request from being merged; undefined where it does not. */
export const pipelineCheck = ({ acceptsSkipped, isRequired, status }: PipelineFacts) => {
  if (!isRequired || status === "success" || (status === "skipped" && acceptsSkipped)) return undefined
  return status !== undefined && unfinished.has(status) ? "ci_still_running" : "ci_must_pass"
}
