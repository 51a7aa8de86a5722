import { Context, Effect } from "effect"
import type { UserRow } from "../http/Caller.ts"
import { handle } from "../platform/Commands.ts"
import type { EventStore } from "../platform/eventStore/EventStore.ts"
import { userAggregate } from "./handle.ts"

/** What other areas may ask of users. */
export class Users extends Context.Service<
  Users,
  {
    readonly find: (id: number) => Effect.Effect<UserRow | undefined>
    /** Digits are an id, anything else a user name, compared without regard to case. */
    readonly findByIdOrUsername: (text: string) => Effect.Effect<UserRow | undefined>
  }
>()("chronoforge/users/Users") {}

/** Notes that the user was active on a day, `YYYY-MM-DD`, UTC. Adds nothing the second time, nor for a missing user. */
export const noteActivity = (id: number, day: string): Effect.Effect<void, never, EventStore> =>
  handle(userAggregate, id, { _tag: "NoteActivity", day }, `user-active/${id}/${day}`).pipe(Effect.orDie, Effect.asVoid)

/** Why a user may not use the service; undefined for one who may. */
export const accountRefusal = (user: Pick<UserRow, "state">): string | undefined => {
  switch (user.state) {
    case "active":
      return undefined
    case "blocked":
      return "Your account has been blocked."
    case "banned":
      return "Your account has been banned."
    case "deactivated":
      // Gap: there is no web page on which a user could reactivate the account, so the text names who can.
      return "Your account has been deactivated by your administrator."
  }
}
