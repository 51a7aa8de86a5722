import { Context, type Effect } from "effect"

/** What projects need of the record of what moved in their repositories. */
export class ProjectPushes extends Context.Service<
  ProjectPushes,
  {
    /** Whether the log says that anything ever moved in the repository of a project. */
    readonly hasBegun: (projectId: number) => Effect.Effect<boolean>
    /**
     * Records what differs between the repository of a project and the log, as if it had been pushed, to be called while the refs are
     * held. Answers how many refs, and where the log stands then; 0 for nothing. When it fails, `reconcile` is under way.
     */
    readonly recordDifference: (projectId: number) => Effect.Effect<{ readonly moved: number; readonly position: number }>
    /** Lets the project follow its repository, and the log agree with it: in the background, until it succeeds. */
    readonly reconcile: (projectId: number) => Effect.Effect<void>
  }
>()("chronoforge/projects/ProjectPushes") {}
