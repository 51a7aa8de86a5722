import { Context, type Effect } from "effect"

/** What changelogs ask of merge requests. */
export class MergedRequests extends Context.Service<
  MergedRequests,
  {
    /**
     * The `iid` of the oldest merge request that brought a commit into the project, by id of the commit; commits without one are left
     * out.
     */
    readonly introducing: (projectId: number, commits: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, number>>
    /** The users with a merge request that was merged into a branch of the project. */
    readonly authorsAmong: (
      userIds: ReadonlyArray<number>,
      into: { readonly projectId: number; readonly branch: string }
    ) => Effect.Effect<ReadonlyArray<number>>
  }
>()("chronoforge/repositories/MergedRequests") {}
