import { Context, type Effect } from "effect"
import type { Listed, Slice } from "../http/answer/pagination.ts"
import type { UserReferenceRow } from "../http/answer/shapes.ts"
import type { HighestNumber } from "../platform/Ids.ts"
import type { Source } from "./events.ts"
import type { Status } from "./status.ts"

/** A pipeline of the read model. Times are milliseconds since 1970. */
export interface PipelineRow {
  readonly id: number
  /** The number within the project. */
  readonly iid: number
  readonly project_id: number
  readonly sha: string
  /** The short name of a branch or tag. */
  readonly ref: string
  readonly is_tag: boolean
  readonly source: Source
  readonly status: Status
  readonly name: string | null
  /** The commit that the branch named before a push. */
  readonly before_sha: string | null
  /** What is wrong with the configuration. */
  readonly yaml_errors: string | null
  /** The schedule that made it. */
  readonly schedule_id: number | null
  readonly created_at: number
  readonly updated_at: number
  readonly started_at: number | null
  readonly finished_at: number | null
}

/** A pipeline with who made it, null when that user is deleted. */
export interface PipelineDetails extends PipelineRow {
  readonly creator: UserReferenceRow | null
}

/** A status of a commit. Times are milliseconds since 1970; the coverage is in percent. */
export interface StatusRow {
  readonly id: number
  readonly pipeline_id: number
  readonly sha: string
  readonly ref: string
  readonly status: Status
  readonly name: string
  readonly target_url: string | null
  readonly description: string | null
  readonly created_at: number
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly allow_failure: boolean
  readonly coverage: number | null
  /** Who set it; null when that user is deleted. */
  readonly author: UserReferenceRow | null
}

/** A job. Times are milliseconds since 1970; the coverage is in percent. */
export interface JobRow {
  readonly id: number
  readonly pipeline_id: number
  readonly project_id: number
  readonly sha: string
  readonly ref: string
  readonly is_tag: boolean
  readonly name: string
  readonly stage: string
  readonly status: Status
  readonly is_replaced: boolean
  readonly coverage: number | null
  readonly allow_failure: boolean
  readonly failure_reason: string | null
  readonly tags: ReadonlyArray<string>
  /** Who runs it. */
  readonly executor: string | null
  readonly created_at: number
  readonly queued_at: number | null
  readonly started_at: number | null
  readonly finished_at: number | null
  /** As whom it runs; null when that user is deleted. */
  readonly created_by: number
  readonly pipeline: PipelineRow
}

/** Which jobs are listed, the newest first. */
export interface JobFilter {
  readonly projectId: number
  readonly pipelineId?: number
  readonly statuses?: ReadonlyArray<Status>
  /** Also those that a later one has replaced. */
  readonly withReplaced: boolean
}

/** A page of jobs in the order of their ids. */
export interface JobKeyset {
  readonly descending: boolean
  /** The page begins after this id. */
  readonly after?: number
  readonly limit: number
}

/** A job that waits for an executor. */
export interface PendingJob {
  readonly id: number
  readonly pipeline_id: number
}

/** Jobs of a pipeline that run as a user. */
export interface AbandonedJobs {
  readonly pipelineId: number
  readonly userId: number
}

/** Which jobs an executor may take: those of users who are active. */
export interface PendingFilter {
  readonly projectId: number
  /** All that the executor offers. Jobs that want none of it are among them. */
  readonly tags: ReadonlyArray<string>
  /** The ids of jobs that are left out. */
  readonly except: ReadonlyArray<number>
  readonly limit: number
}

/** Which pipelines a newer one makes needless: those under way of the same branch or tag, for other commits. */
export interface RedundantFilter {
  readonly projectId: number
  readonly ref: string
  readonly isTag: boolean
  /** The id of the newer one. */
  readonly before: number
  /** In milliseconds since 1970. */
  readonly createdAfter: number
  /** The commits whose pipelines are not needless. */
  readonly except: ReadonlyArray<string>
}

/** When a job ran, in milliseconds since 1970, and what it covered, in percent. */
export interface JobSpan {
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly coverage: number | null
}

/** Which pipelines are listed. Times are milliseconds since 1970. */
export interface PipelineFilter {
  readonly projectId: number
  /** `branches` and `tags`: only the newest of each. */
  readonly scope?: "running" | "pending" | "finished" | "branches" | "tags"
  readonly status?: Status
  readonly source?: Source
  readonly ref?: string
  readonly sha?: string
  readonly name?: string
  readonly username?: string
  readonly yamlErrors?: boolean
  /** Only those that this schedule made. */
  readonly scheduleId?: number
  readonly updatedAfter?: number
  readonly updatedBefore?: number
  readonly createdAfter?: number
  readonly createdBefore?: number
  readonly order: { readonly by: "id" | "status" | "ref" | "updated_at" | "user_id"; readonly descending: boolean }
}

/** Which statuses of a commit are listed. */
export interface StatusFilter {
  readonly projectId: number
  readonly sha: string
  readonly ref?: string
  readonly stage?: string
  readonly name?: string
  readonly pipelineId?: number
  /** Also those that a later one has replaced. */
  readonly withReplaced: boolean
  readonly order: { readonly by: "id" | "pipeline_id"; readonly descending: boolean }
}

/** What handlers ask about pipelines. */
export class PipelineQueries extends Context.Service<
  PipelineQueries,
  {
    readonly list: (filter: PipelineFilter, slice: Slice) => Effect.Effect<Listed<PipelineRow>>
    readonly find: (projectId: number, id: number) => Effect.Effect<PipelineDetails | undefined>
    /** The newest pipeline of a commit, of any ref or of this one; without `isTag`, of a branch or tag of the name. */
    readonly newest: (
      projectId: number,
      commit: { readonly sha: string; readonly ref?: string; readonly isTag?: boolean }
    ) => Effect.Effect<PipelineDetails | undefined>
    readonly highestNumber: HighestNumber
    /** The jobs of a pipeline that no later one has replaced. */
    readonly spans: (pipelineId: number) => Effect.Effect<ReadonlyArray<JobSpan>>
    readonly statuses: (filter: StatusFilter, slice: Slice) => Effect.Effect<Listed<StatusRow>>
    readonly jobs: (filter: JobFilter, slice: Slice) => Effect.Effect<Listed<JobRow>>
    readonly jobsAfter: (filter: JobFilter, page: JobKeyset) => Effect.Effect<ReadonlyArray<JobRow>>
    readonly findJob: (projectId: number, id: number) => Effect.Effect<JobRow | undefined>
    /** The oldest jobs that an executor may take: what has a lease is being taken. */
    readonly pending: (filter: PendingFilter) => Effect.Effect<ReadonlyArray<PendingJob>>
    /** Jobs of a project that wait, as users who may do nothing any more: the pipelines and users. */
    readonly abandoned: (projectId: number, limit: number) => Effect.Effect<ReadonlyArray<AbandonedJobs>>
    /** The ids of pipelines with jobs under way that run as a user. */
    readonly withJobsOf: (userId: number) => Effect.Effect<ReadonlyArray<number>>
    /** Whether an older one of its branch or tag is under way for another commit. */
    readonly hasOlder: (pipelineId: number) => Effect.Effect<boolean>
    /** The ids of pipelines that a newer one makes needless, the oldest first. */
    readonly redundant: (filter: RedundantFilter) => Effect.Effect<ReadonlyArray<number>>
    /** Four at most of the merge requests that are open from a branch of a project, by their full references. */
    readonly openMergeRequests: (projectId: number, branch: string) => Effect.Effect<ReadonlyArray<string>>
    readonly findStatus: (id: number) => Effect.Effect<StatusRow | undefined>
  }
>()("chronoforge/pipelines/PipelineQueries") {}
