import { Context, type Effect } from "effect"

/** What is known of the refs of repositories from the log. */
export class RecordedRefs extends Context.Service<
  RecordedRefs,
  {
    /** The ids of the refs of a project's repository, by full names, without the service's own. */
    readonly of: (projectId: number) => Effect.Effect<ReadonlyMap<string, string>>
    /** Whether there is a ref of this full name. */
    readonly has: (projectId: number, ref: string) => Effect.Effect<boolean>
  }
>()("chronoforge/pushes/RecordedRefs") {}
