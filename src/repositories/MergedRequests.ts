import { Context, Effect, Layer } from "effect"

/** What changelogs ask of merge requests. */
export class MergedRequests extends Context.Service<
  MergedRequests,
  {
    /** `iid` of the oldest merged request that brought a commit into the project, by id of the commit; for those that have one. */
    readonly bringing: (projectId: number, commits: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, number>>
    /** The users with a merge request that was merged into a branch of the project. */
    readonly authorsAmong: (
      userIds: ReadonlyArray<number>,
      into: { readonly projectId: number; readonly branch: string }
    ) => Effect.Effect<ReadonlyArray<number>>
  }
>()("chronoforge/repositories/MergedRequests") {
  /** The layer for an installation without merge requests. */
  static readonly layerNone: Layer.Layer<MergedRequests> = Layer.succeed(MergedRequests)({
    bringing: () => Effect.succeed(new Map()),
    authorsAmong: () => Effect.succeed([])
  })
}
