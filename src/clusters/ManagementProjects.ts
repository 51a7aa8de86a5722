import { Context, type Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import type { ProjectReferenceRow } from "../http/answer/references.ts"

/** What clusters need to know of projects: which may manage a cluster. */
export class ManagementProjects extends Context.Service<
  ManagementProjects,
  {
    /** Whether the project exists and the caller may administer its pipelines. */
    readonly mayUse: (caller: Caller, projectId: number) => Effect.Effect<boolean>
    /** The projects that exist, by id. */
    readonly find: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyMap<number, ProjectReferenceRow>>
  }
>()("chronoforge/clusters/ManagementProjects") {}
