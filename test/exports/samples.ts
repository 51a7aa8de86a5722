import { exportAggregate, type State } from "#src/exports/aggregate.ts"
import { ExportEvent, type ExportedFile } from "#src/exports/events.ts"
import { foldOf } from "#test/support/aggregateLaws.ts"

const { cases } = ExportEvent

/** The relations that come in batches where that is asked for, as the reference has them. */
export const batchable: ReadonlySet<string> = new Set([
  ...["labels", "milestones", "issues", "snippets", "releases", "merge_requests", "external_pull_requests", "commit_notes"],
  ...["ci_pipelines", "pipeline_schedules", "protected_branches", "protected_tags", "custom_attributes", "project_badges"],
  ...["boards", "uploads", "lfs_objects"]
])

/** All relations of a project with the names of their files, in the order of the reference. */
export const files: Readonly<Record<string, string>> = {
  labels: "labels.ndjson.gz",
  milestones: "milestones.ndjson.gz",
  issues: "issues.ndjson.gz",
  snippets: "snippets.ndjson.gz",
  releases: "releases.ndjson.gz",
  merge_requests: "merge_requests.ndjson.gz",
  external_pull_requests: "external_pull_requests.ndjson.gz",
  commit_notes: "commit_notes.ndjson.gz",
  ci_pipelines: "ci_pipelines.ndjson.gz",
  auto_devops: "auto_devops.ndjson.gz",
  pipeline_schedules: "pipeline_schedules.ndjson.gz",
  container_expiration_policy: "container_expiration_policy.ndjson.gz",
  protected_branches: "protected_branches.ndjson.gz",
  protected_tags: "protected_tags.ndjson.gz",
  project_feature: "project_feature.ndjson.gz",
  custom_attributes: "custom_attributes.ndjson.gz",
  project_badges: "project_badges.ndjson.gz",
  ci_cd_settings: "ci_cd_settings.ndjson.gz",
  error_tracking_setting: "error_tracking_setting.ndjson.gz",
  boards: "boards.ndjson.gz",
  service_desk_setting: "service_desk_setting.ndjson.gz",
  uploads: "uploads.tar.gz",
  lfs_objects: "lfs_objects.tar.gz",
  repository: "repository.tar.gz",
  design: "design.tar.gz",
  self: "self.json.gz"
}

export const names: ReadonlyArray<string> = Object.keys(files)

/** The number of the export of the samples. */
export const number = 7
export const file: ExportedFile = { sha256: "f1", bytes: 30 }

/** An export of three relations, of which the last one always comes in one piece. */
export const requested = (isBatched = false) =>
  cases.ExportRequested.make({
    number,
    by: 4,
    isBatched,
    relations: [
      { name: "labels", isBatched },
      { name: "issues", isBatched },
      { name: "self", isBatched: false }
    ]
  })

export const taken = (labels: number, issues: number) =>
  cases.RelationsTaken.make({
    number,
    position: 12,
    relations: [
      { name: "labels", objects: labels },
      { name: "issues", objects: issues },
      { name: "self", objects: 1 }
    ]
  })

export const exported = (relation: string, of: ExportedFile | null = file) =>
  cases.RelationExported.make({ number, relation, file: of })
export const failed = (relation: string, error: string) => cases.RelationFailed.make({ number, relation, error })
export const batchExported = (relation: string, batch: number, objects: number) =>
  cases.BatchExported.make({ number, relation, batch, objects, file })
export const batchFailed = (relation: string, batch: number, error: string) =>
  cases.BatchFailed.make({ number, relation, batch, error })
export const finished = (at: number) => cases.ExportFinished.make({ number, at })
export const expired = cases.ExportExpired.make({ number })

/** The state that events lead to. */
export const stateBehind = (...events: ReadonlyArray<ExportEvent>): State => foldOf(exportAggregate)(events)
