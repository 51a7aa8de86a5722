import type { Schema } from "effect"

/** When a job may start, once what it waits for is over. A job that is never to start has no plan. */
export type When = "on_success" | "on_failure" | "always" | "manual"

/** A variable of the configuration. Its value is as written. */
export interface PlannedVariable {
  readonly key: string
  readonly value: string
  /** Whether names of other variables in the value stand for their values. */
  readonly isExpanded: boolean
}

/** A job that another one waits for; it is in the same plan. */
export interface Need {
  readonly name: string
  /** Whether the artifacts of that job are handed on. */
  readonly artifacts: boolean
}

/** How often a failed job begins anew. */
export interface Retry {
  /** From 0 to 2. */
  readonly max: number
  /** The failures that count, in the words of the reference; `always` for all. With `exitCodes`, either is enough. */
  readonly when: ReadonlyArray<string>
  readonly exitCodes: ReadonlyArray<number>
}

/** A job that a pipeline is to have. */
export interface JobPlan {
  readonly name: string
  readonly stage: string
  readonly when: When
  readonly allowFailure: boolean
  /** The exit codes with which alone it may fail; then `allowFailure` is false. */
  readonly allowFailureExitCodes?: ReadonlyArray<number>
  /** What it waits for: absent for all jobs of earlier stages, empty for nothing. */
  readonly needs?: ReadonlyArray<Need>
  /** Those of the whole configuration, the workflow, the job and its rule, each key once with the value that counts. */
  readonly variables: ReadonlyArray<PlannedVariable>
  readonly retry: Retry
  readonly interruptible: boolean
  /** Its place among the jobs that one of the configuration became; absent for one that runs alone. */
  readonly parallel?: { readonly index: number; readonly total: number }
  /** The pattern, with its slashes, that finds the coverage in the log; in the syntax of RE2. */
  readonly coverage?: string
  /** Those of the executors that may run it, with the values of the variables that they name. */
  readonly tags: ReadonlyArray<string>
  /** What executors are handed as it is, with all that it inherits: script, image, services, cache, artifacts, timeout, ... */
  readonly definition: Schema.JsonObject
}

/** What becomes of a configuration for one pipeline. */
export type Compiled =
  | {
      readonly _tag: "Planned"
      /** All stages in their order, also those without jobs. */
      readonly stages: ReadonlyArray<string>
      /** By stage, then as in the configuration. */
      readonly jobs: ReadonlyArray<JobPlan>
      /** The name that the configuration gives to the pipeline; null for none. */
      readonly name: string | null
    }
  /** The rules of the workflow want no pipeline. */
  | { readonly _tag: "Filtered" }
  /** The rules leave no job. */
  | { readonly _tag: "NoJobs" }
  /** In the words of the reference where it has any. */
  | { readonly _tag: "Invalid"; readonly errors: readonly [string, ...ReadonlyArray<string>] }
