import { isoMillis, nullableIsoMillis } from "../http/answer/jsonTimes.ts"
import { userReference } from "../http/answer/shapes.ts"
import type { ProjectRow } from "../projects/Projects.ts"
import type { JobSpan, PipelineDetails, PipelineRow, StatusRow } from "./Queries.ts"
import type { CommitStatus, ListedPipeline, PipelineDetail, PipelineReference, PipelineVariableShape } from "./shapes.ts"
import type { Status } from "./status.ts"
import type { PipelineVariable } from "./variables.ts"

/** Where a pipeline is shown. */
export interface Place {
  readonly project: Pick<ProjectRow, "path_with_namespace">
  readonly externalUrl: string
}

const pathOf = ({ project }: Place, { id }: PipelineRow): string => `/${project.path_with_namespace}/-/pipelines/${id}`

export const presentReference = (row: PipelineRow, place: Place): typeof PipelineReference.Type => ({
  id: row.id,
  iid: row.iid,
  project_id: row.project_id,
  sha: row.sha,
  ref: row.ref,
  status: row.status,
  source: row.source,
  created_at: isoMillis(row.created_at),
  updated_at: isoMillis(row.updated_at),
  web_url: `${place.externalUrl}${pathOf(place, row)}`
})

export const presentListed = (row: PipelineRow, place: Place): typeof ListedPipeline.Type => ({
  ...presentReference(row, place),
  name: row.name
})

interface Appearance {
  readonly icon: string
  readonly text: string
  readonly label: string
  readonly group: string
}

const appearanceOf = (status: Status, text: string, label: string = status): Appearance => ({
  icon: `status_${status}`,
  text,
  label,
  group: status
})

/** How pages show statuses. */
const appearances: Readonly<Record<Status, Appearance>> = {
  created: appearanceOf("created", "Created"),
  waiting_for_resource: {
    ...appearanceOf("waiting_for_resource", "Waiting", "waiting for resource"),
    icon: "status_pending",
    group: "waiting-for-resource"
  },
  preparing: appearanceOf("preparing", "Preparing"),
  pending: appearanceOf("pending", "Pending"),
  running: appearanceOf("running", "Running"),
  success: appearanceOf("success", "Passed", "passed"),
  failed: appearanceOf("failed", "Failed"),
  canceling: { ...appearanceOf("canceling", "Canceling"), icon: "status_canceled" },
  canceled: appearanceOf("canceled", "Canceled"),
  skipped: appearanceOf("skipped", "Skipped"),
  manual: appearanceOf("manual", "Manual", "waiting for manual action"),
  scheduled: appearanceOf("scheduled", "Scheduled", "waiting for delayed job")
}

const detailedStatus = (row: PipelineRow, place: Place): (typeof PipelineDetail.Type)["detailed_status"] => {
  const { group, icon, label, text } = appearances[row.status]
  return {
    icon,
    text,
    label,
    group,
    tooltip: label,
    has_details: true,
    details_path: pathOf(place, row),
    illustration: null,
    favicon: `/assets/ci_favicons/favicon_${icon}.png`
  }
}

const seconds = (millis: number): number => Math.floor(millis / 1000)

/** For how many seconds at least one of them ran; null where none has ended. */
const durationOf = (spans: ReadonlyArray<JobSpan>): number | null => {
  const ran = spans.flatMap(({ finished_at: end, started_at: start }) => (start === null || end === null ? [] : [{ start, end }]))
  if (ran.length === 0) return null
  let [sum, until] = [0, 0]
  for (const { end, start } of ran.sort((a, b) => a.start - b.start)) {
    sum += Math.max(0, end - Math.max(start, until))
    until = Math.max(until, end)
  }
  return seconds(sum)
}

const coverageOf = (spans: ReadonlyArray<JobSpan>): string | null => {
  const covered = spans.flatMap(({ coverage }) => coverage ?? [])
  if (covered.length === 0) return null
  return (covered.reduce((sum, one) => sum + one, 0) / covered.length).toFixed(2)
}

/** `spans` are those of its jobs. */
export const presentDetail = (row: PipelineDetails, spans: ReadonlyArray<JobSpan>, place: Place): typeof PipelineDetail.Type => ({
  ...presentListed(row, place),
  before_sha: row.before_sha ?? "0".repeat(40),
  tag: row.is_tag,
  yaml_errors: row.yaml_errors,
  user: row.creator && userReference(row.creator, place.externalUrl),
  started_at: nullableIsoMillis(row.started_at),
  finished_at: nullableIsoMillis(row.finished_at),
  committed_at: null,
  duration: durationOf(spans),
  queued_duration: row.started_at === null ? null : seconds(row.started_at - row.created_at),
  coverage: coverageOf(spans),
  detailed_status: detailedStatus(row, place)
})

export const presentVariable = ({ key, raw, value, variableType }: PipelineVariable): typeof PipelineVariableShape.Type => ({
  variable_type: variableType,
  key,
  value,
  raw
})

export const presentStatus = (row: StatusRow, externalUrl: string): typeof CommitStatus.Type => ({
  id: row.id,
  sha: row.sha,
  ref: row.ref,
  status: row.status,
  name: row.name,
  target_url: row.target_url,
  description: row.description,
  created_at: isoMillis(row.created_at),
  started_at: nullableIsoMillis(row.started_at),
  finished_at: nullableIsoMillis(row.finished_at),
  allow_failure: row.allow_failure,
  coverage: row.coverage,
  pipeline_id: row.pipeline_id,
  author: row.author && userReference(row.author, externalUrl)
})
