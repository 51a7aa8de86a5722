import { Context, Effect } from "effect"
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
