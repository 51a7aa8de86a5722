import type { UserProfile } from "./events.ts"

/** How an existing user stands. Only active ones may use the service. */
export type Standing = "Active" | "Blocked" | "Deactivated" | "Banned"

export interface Account {
  readonly username: string
  readonly email: string
  readonly admin: boolean
  readonly profile: UserProfile
  /** Null when no password was ever chosen. */
  readonly passwordDigest: string | null
  /** Null for a user of an older log who was not given one yet. */
  readonly namespaceId: number | null
  /** `YYYY-MM-DD` */
  readonly lastActivityOn: string | null
}

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: Standing; readonly account: Account }
  | { readonly _tag: "Deleted" }

export const initial: State = { _tag: "Absent" }
