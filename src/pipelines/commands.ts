import { Data, type Result } from "effect"
import type { NewJob, NewPipeline, PipelineEvent, StatusDetails } from "./events.ts"
import type { Status, TargetStatus } from "./status.ts"

/** Sets a status. One that waits or runs, of the same name, ref and user, moves on; otherwise there is a new one. */
export interface PostStatus {
  readonly _tag: "PostStatus"
  /** The pipeline to make if it is not there; absent for one that is. */
  readonly pipeline?: NewPipeline
  /** The id of a new status. */
  readonly id: number
  readonly name: string
  readonly ref: string
  readonly postedBy: number
  readonly status: TargetStatus
  /** Absent details stay as they are. */
  readonly details: Partial<StatusDetails>
  /** How many jobs the pipeline may have. */
  readonly maxJobs: number
}

/** Makes a pipeline with the jobs of its configuration. One that is there already stays as it is. */
export interface Create {
  readonly _tag: "Create"
  readonly pipeline: NewPipeline
  readonly jobs: ReadonlyArray<NewJob>
}

/** Starts a job that waits for somebody. `newId` is for one that has ended, of which there is a new one. */
export interface PlayJob {
  readonly _tag: "PlayJob"
  /** Its variables, sealed; absent where those that it had stay. */
  readonly variables?: string
  readonly id: number
  readonly newId: number
  readonly by: number
  /** How many jobs the pipeline may have. */
  readonly maxJobs: number
}

/** Runs jobs that have ended again: each has a new one in its place, with the id that is given for it. */
export interface Retry {
  readonly _tag: "RetryJob" | "RetryFailed"
  readonly newIds: ReadonlyMap<number, number>
  readonly by: number
  /** How many jobs the pipeline may have. */
  readonly maxJobs: number
}

/** Gives a job that waits to an executor. */
export interface ClaimJob {
  readonly _tag: "ClaimJob"
  readonly id: number
  readonly claim: number
  readonly executor: string
  readonly by: number
}

/** Tells how a run of a job ended. The coverage is in percent. */
export interface EndJob {
  readonly _tag: "EndJob"
  readonly id: number
  readonly claim: number
  readonly status: "success" | "failed"
  readonly coverage?: number
  readonly exitCode?: number
  readonly failureReason?: string
  /** The id of a next run, where it is run again when it fails. */
  readonly newId: number
}

/** Fails the jobs under way that run as a user who may do nothing any more. */
export interface DropJobs {
  readonly _tag: "DropJobs"
  readonly by: number
  readonly failureReason: "user_blocked"
}

export type Command =
  | PostStatus
  | Create
  | PlayJob
  | Retry
  | ClaimJob
  | EndJob
  | DropJobs
  | { readonly _tag: "CancelJob"; readonly id: number }
  | { readonly _tag: "ReturnJob"; readonly id: number; readonly claim: number }
  | { readonly _tag: "Cancel" }
  /** Cancels what a newer pipeline makes needless, where no job has begun that must not be interrupted. */
  | { readonly _tag: "CancelRedundant" }
  | { readonly _tag: "Rename"; readonly name: string | null }
  | { readonly _tag: "Delete" }

/** The pipeline was never there, or is deleted. */
export class PipelineMissing extends Data.TaggedError("PipelineMissing") {}

/** There is no way from the present status to the requested one. */
export class StatusCannotMove extends Data.TaggedError("StatusCannotMove")<{
  readonly from: Status
  readonly to: TargetStatus
}> {}

/** A job of the configuration has the name. */
export class JobNameTaken extends Data.TaggedError("JobNameTaken") {}

/** There is no such job in the pipeline, or a later one has taken its place. */
export class JobMissing extends Data.TaggedError("JobMissing") {}

/** The job is not in a state in which this may be done. */
export class JobNotFit extends Data.TaggedError("JobNotFit")<{ readonly status: Status }> {}

/** The run is over: the job was canceled, or went back and was given to another executor. */
export class ClaimLost extends Data.TaggedError("ClaimLost")<{ readonly status: Status }> {}

/** The pipeline has as many jobs as it may, with those that others have replaced. */
export class TooManyJobs extends Data.TaggedError("TooManyJobs")<{ readonly maxJobs: number }> {}

export type Refusal = PipelineMissing | StatusCannotMove | JobNameTaken | JobMissing | JobNotFit | ClaimLost | TooManyJobs

export type Decision = Result.Result<ReadonlyArray<PipelineEvent>, Refusal>
