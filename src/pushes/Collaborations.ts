import { Context, Effect } from "effect"
import type { Push } from "../git/http/access.ts"
import type { UserRow } from "../http/access/Caller.ts"
import type { PushPolicy } from "./pushPolicy.ts"

/** What pushes ask of merge requests. */
export class Collaborations extends Context.Service<
  Collaborations,
  {
    /** The branches of a project that a user may move, who may not push to it, because they may merge them into another project which asks for that. */
    readonly branches: (projectId: number, user: UserRow) => Effect.Effect<ReadonlyArray<string>>
  }
>()("chronoforge/pushes/Collaborations") {}

/** The policy of a user with the branches on which they collaborate. */
export const withCollaborations = Effect.fnUntraced(function* (policy: PushPolicy, projectId: number, user: UserRow | undefined) {
  if (policy.mayPush || user === undefined) return policy
  const collaborations = yield* Collaborations.use(({ branches }) => branches(projectId, user))
  return { ...policy, collaborations }
})

/** A push that somebody made. */
export interface RecordedPush {
  readonly projectId: number
  readonly user: UserRow
  readonly push: Push
  /** The URL of the service. */
  readonly externalUrl: string
}

/** What others make of a push, once it is recorded. */
export class PushReactions extends Context.Service<
  PushReactions,
  {
    /** Does what the options of a push ask for; answers the lines that the client is to show. Never fails: what cannot be done is told. */
    readonly obey: (pushed: RecordedPush) => Effect.Effect<ReadonlyArray<string>>
  }
>()("chronoforge/pushes/PushReactions") {}
