import { Context, Effect } from "effect"
import type { UserRow } from "../http/access/Caller.ts"
import { handle, load } from "../platform/Commands.ts"
import type { EventStore } from "../platform/eventStore/EventStore.ts"
import type { Name } from "../platform/Reservations.ts"
import { userAggregate } from "./aggregate.ts"
import { userIdOf } from "./ids.ts"

/** What other areas may ask of users. */
export class Users extends Context.Service<
  Users,
  {
    readonly find: (id: number) => Effect.Effect<UserRow | undefined>
    /** Digits are an id, anything else a user name, compared without regard to case. */
    readonly findByIdOrUsername: (text: string) => Effect.Effect<UserRow | undefined>
    /** The user with this user name or, for a text with an `@`, this e-mail address, compared without regard to case. */
    readonly findByLogin: (text: string) => Effect.Effect<UserRow | undefined>
    /** The users who own one of the e-mail addresses, compared without regard to case; in any order. Theirs are in lower case. */
    readonly findByEmails: (emails: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<UserRow>>
  }
>()("chronoforge/users/Users") {}

/** Notes that the user was active on a day, `YYYY-MM-DD`, UTC. Adds nothing the second time, nor for a missing user. */
export const noteActivity = (id: number, day: string): Effect.Effect<void, never, EventStore> =>
  handle(userAggregate, id, { _tag: "NoteActivity", day }, { commandId: `user-active/${id}/${day}` }).pipe(
    Effect.orDie,
    Effect.asVoid
  )

/** The name to reserve for a user name, or for the path of a group at the top level: they lie in one space. */
export const topLevelName = (path: string): Name => ({ kind: "namespace", text: path.toLowerCase() })

/** The name of the user name that the user of this stream has, as the log stands; undefined for none. */
export const usernameName = Effect.fnUntraced(function* (stream: string): Effect.fn.Return<Name | undefined, never, EventStore> {
  const id = userIdOf(stream)
  if (id === undefined) return undefined
  const { state } = yield* load(userAggregate, id)
  return state._tag === "Absent" || state._tag === "Deleted" ? undefined : topLevelName(state.account.username)
})

/** Whether there is a user with this id, as the log stands. */
export const isPresent = (id: number): Effect.Effect<boolean, never, EventStore> =>
  Effect.map(load(userAggregate, id), ({ state }) => state._tag !== "Absent" && state._tag !== "Deleted")

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
