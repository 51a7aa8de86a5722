import { Context, type Effect } from "effect"
import type { Listed, Slice } from "../http/answer/pagination.ts"
import type { UserReferenceRow } from "../http/answer/shapes.ts"
import type { HighestNumber } from "../platform/Ids.ts"
import type { Status, Tier } from "./events.ts"

/** An environment of the read model. Times are milliseconds since 1970. */
export interface EnvironmentRow {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly external_url: string | null
  readonly tier: Tier
  readonly state: EnvironmentState
  readonly created_at: number
  readonly updated_at: number
}

export type EnvironmentState = "available" | "stopped"

/** A deployment of the read model. Times are milliseconds since 1970. */
export interface DeploymentRow {
  readonly id: number
  readonly iid: number
  readonly ref: string
  readonly is_tag: boolean
  readonly sha: string
  readonly status: Status
  readonly created_at: number
  readonly updated_at: number
  readonly environment: EnvironmentRow
  /** Who made it; null when that user is deleted. */
  readonly user: UserReferenceRow | null
}

/** Conditions on environments; absent ones hold for all. */
export interface EnvironmentFilter {
  readonly projectId: number
  readonly name?: string
  /** A part of the name. */
  readonly search?: string
  readonly state?: EnvironmentState
}

/** The same of deployments. */
export interface DeploymentFilter {
  readonly projectId: number
  readonly environment?: string
  readonly status?: Status | "created" | "blocked" | "skipped"
  /** Times are milliseconds since 1970, and belong to what is chosen. */
  readonly updatedAfter?: number
  readonly updatedBefore?: number
  readonly finishedAfter?: number
  readonly finishedBefore?: number
  readonly order: { readonly by: DeploymentOrder; readonly descending: boolean }
}

export type DeploymentOrder = "id" | "iid" | "created_at" | "updated_at" | "finished_at" | "ref"

/** What is asked about environments and deployments. */
export class DeploymentQueries extends Context.Service<
  DeploymentQueries,
  {
    /** Environments in the order of their names. */
    readonly environments: (filter: EnvironmentFilter, slice: Slice) => Effect.Effect<Listed<EnvironmentRow>>
    readonly environment: (projectId: number, id: number) => Effect.Effect<EnvironmentRow | undefined>
    /** The name that an environment has, or had before it was deleted. */
    readonly nameOf: (projectId: number, id: number) => Effect.Effect<string | undefined>
    /** Deployments in the order of their ids. */
    readonly list: (filter: DeploymentFilter, slice: Slice) => Effect.Effect<Listed<DeploymentRow>>
    readonly find: (projectId: number, id: number) => Effect.Effect<DeploymentRow | undefined>
    /** The commit that came into an environment last. */
    readonly lastSha: (environmentId: number) => Effect.Effect<string | undefined>
    /** The deployment by which that commit came. */
    readonly last: (environmentId: number) => Effect.Effect<DeploymentRow | undefined>
    /** The numbers of merged merge requests of a project with one of these commits, at most so many. */
    readonly mergedWith: (projectId: number, shas: ReadonlyArray<string>, limit: number) => Effect.Effect<ReadonlyArray<number>>
    /** The same of those that were merged into a branch, the newest first. */
    readonly mergedInto: (projectId: number, branch: string, limit: number) => Effect.Effect<ReadonlyArray<number>>
    readonly highestNumber: HighestNumber
  }
>()("chronoforge/deployments/DeploymentQueries") {}
