import { Effect } from "effect"
import type { UserRow } from "../../http/access/Caller.ts"
import type { WireError } from "../../http/answer/errors.ts"
import { withOwnerLock } from "../../http/withOwnerLock.ts"
import { UserQueries } from "../Queries.ts"

/** Fails with the error if nobody but the user is an administrator who may use the service. Needs the owner lock. */
export const requireOtherAdministrator = Effect.fnUntraced(function* ({ admin, id }: UserRow, refusal: WireError) {
  if (admin && !(yield* UserQueries.use((users) => users.hasOtherAdministrator(id)))) return yield* refusal
})

/** Runs a change that takes the rights of an administrator from a user, unless they are the last one: then it fails with the error. */
export const unlessLastAdministrator =
  (user: UserRow, refusal: WireError) =>
  <A, E, R>(change: Effect.Effect<A, E, R>) =>
    withOwnerLock(Effect.andThen(requireOtherAdministrator(user, refusal), change))
