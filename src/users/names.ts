import { Effect } from "effect"
import type { UserRow } from "../http/access/Caller.ts"
import { guardOf, load } from "../platform/Commands.ts"
import type { EventStore, Fences } from "../platform/eventStore/EventStore.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { type HeldNames, NameHolders } from "../platform/NameHolders.ts"
import { type Name, type NameTaken, release, reserve } from "../platform/Reservations.ts"
import { userAggregate } from "./aggregate.ts"
import { userIdOf } from "./ids.ts"
import type { Account } from "./state.ts"
import { topLevelName } from "./Users.ts"

export const emailName = (email: string): Name => ({ kind: "email", text: email.toLowerCase() })
export const identityName = (identity: { readonly provider: string; readonly externUid: string }): Name => ({
  kind: "identity",
  text: JSON.stringify([identity.provider, identity.externUid])
})

/** Every name that a user occupies, in the order in which conflicts are reported. */
export const namesOf = (account: Pick<Account, "email" | "username" | "profile">): ReadonlyArray<Name> => [
  emailName(account.email),
  topLevelName(account.username),
  ...account.profile.identities.map(identityName)
]

/** The names that a user of the read model occupies. */
export const heldNames = (user: Pick<UserRow, "email" | "username" | "identities">): ReadonlyArray<Name> => [
  emailName(user.email),
  topLevelName(user.username),
  ...user.identities.map(({ provider, extern_uid }) => identityName({ provider, externUid: extern_uid }))
]

/** Every name of the user of a stream. */
export const heldByUser: HeldNames = Effect.fnUntraced(function* (stream: string) {
  const id = userIdOf(stream)
  if (id === undefined) return []
  const { state } = yield* load(userAggregate, id)
  return state._tag === "Absent" || state._tag === "Deleted" ? [] : namesOf(state.account)
})

type Reserving = Effect.Effect<Fences, NameTaken, EventStore | NameHolders>

const reserveEach = (names: ReadonlyArray<Name>, owner: string): Reserving =>
  NameHolders.use(({ holds }) => Effect.forEach(names, (name) => reserve(name, owner, holds(name)))).pipe(
    Effect.map((fences) => fences.flat())
  )

/**
 * Reserves names that the owner has none of yet. Stops at the first that is taken, and keeps those before it. Answers what guards the command
 * that gives them.
 */
export const reserveNames = (names: ReadonlyArray<Name>, owner: string) => guardOf(reserveEach(names, owner))

const releaseNames = (names: ReadonlyArray<Name>, owner: string) =>
  NameHolders.use(({ holds }) => Effect.forEach(names, (name) => release(name, owner, holds(name)(owner)), { discard: true }))

/** Reserves all of these names for a user who is about to be created, or none of them. */
export const reserveForNew = (names: ReadonlyArray<Name>, owner: string) =>
  guardOf(reserveEach(names, owner).pipe(Effect.tapError(() => releaseNames(names, owner))))

/** Gives back those of the names that the user does not hold, as the log stands now. */
export const releaseUnheld = (names: ReadonlyArray<Name>, id: number) =>
  spanned("users.releaseUnheld")(releaseNames(names, userAggregate.stream(id)))
