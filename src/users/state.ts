import type { UserEvent, UserProfile } from "./events.ts"

/** The state of an existing user. Only active ones may use the service. */
export type AccountStatus = "Active" | "Blocked" | "Deactivated" | "Banned"

export interface Account {
  readonly username: string
  readonly email: string
  readonly admin: boolean
  readonly profile: UserProfile
  /** The digest; null when no password was ever chosen. */
  readonly passwordDigest: string | null
  /** It is null for a user of an older log who was not given one yet. */
  readonly namespaceId: number | null
  /** The day is written `YYYY-MM-DD`. */
  readonly lastActivityOn: string | null
}

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: AccountStatus; readonly account: Account }
  | { readonly _tag: "Deleted" }

export const initial: State = { _tag: "Absent" }

const statusAfter: Partial<Record<UserEvent["_tag"], AccountStatus>> = {
  UserBlocked: "Blocked",
  UserUnblocked: "Active",
  UserDeactivated: "Deactivated",
  UserActivated: "Active",
  UserBanned: "Banned",
  UserUnbanned: "Active"
}

const accountAfter = (account: Account, event: UserEvent): Account => {
  switch (event._tag) {
    case "UserProfileChanged":
      return { ...account, profile: { ...account.profile, ...event.changes } }
    case "UserRenamed":
      return { ...account, username: event.to }
    case "UserEmailChanged":
      return { ...account, email: event.to }
    case "UserPasswordChanged":
      return { ...account, passwordDigest: event.digest }
    case "AdministratorGranted":
      return { ...account, admin: true }
    case "AdministratorRevoked":
      return { ...account, admin: false }
    case "NamespaceGiven":
      return { ...account, namespaceId: event.namespaceId }
    case "UserWasActive":
      return { ...account, lastActivityOn: event.day }
    default:
      return account
  }
}

/** Events before the creation or after the deletion change nothing. */
export const evolve = (state: State, event: UserEvent): State => {
  if (state._tag === "Deleted") return state
  if (event._tag === "UserDeleted") return { _tag: "Deleted" }
  if (event._tag === "UserCreated") {
    const { username, email, admin, profile, namespaceId = null } = event
    const unknown = { passwordDigest: null, lastActivityOn: null }
    return { _tag: "Active", account: { username, email, admin, profile, namespaceId, ...unknown } }
  }
  if (state._tag === "Absent") return state
  return { _tag: statusAfter[event._tag] ?? state._tag, account: accountAfter(state.account, event) }
}
