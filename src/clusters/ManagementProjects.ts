import { Context, type Effect } from "effect"
import type { Caller } from "../http/Caller.ts"

/** A project as it is shown where a cluster is managed by it. */
export interface ManagementProject {
  readonly id: number
  readonly description: string | null
  readonly name: string
  readonly nameWithNamespace: string
  readonly path: string
  readonly pathWithNamespace: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** What clusters need to know of projects: which may manage a cluster. */
export class ManagementProjects extends Context.Service<
  ManagementProjects,
  {
    /** Whether the project exists and the caller may administer its pipelines. */
    readonly mayUse: (caller: Caller, projectId: number) => Effect.Effect<boolean>
    /** Those of the projects that exist, by id. */
    readonly find: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyMap<number, ManagementProject>>
  }
>()("chronoforge/clusters/ManagementProjects") {}
