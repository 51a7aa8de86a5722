import type { ProfileChanges, UserProfile } from "./events.ts"

export interface Create {
  readonly _tag: "Create"
  readonly username: string
  readonly email: string
  readonly admin: boolean
  readonly confirmed: boolean
  readonly createdBy: number | null
  readonly profile: UserProfile
  /** The digest; null for a user who has no password. */
  readonly passwordDigest: string | null
  readonly namespaceId: number
}

/** Absent settings stay as they are. */
export interface Update {
  readonly _tag: "Update"
  readonly username?: string
  readonly email?: string
  readonly admin?: boolean
  readonly passwordDigest?: string
  /** Replaces the identity at the same provider, or is added. */
  readonly identity?: UserProfile["identities"][number]
  readonly changes: ProfileChanges
}

/** `at` is the current time in milliseconds since 1970. */
export interface Deactivate {
  readonly _tag: "Deactivate"
  readonly at: number
}

export type Moderation =
  | { readonly _tag: "Block" }
  | { readonly _tag: "Unblock" }
  | Deactivate
  | { readonly _tag: "Activate" }
  | { readonly _tag: "Ban" }
  | { readonly _tag: "Unban" }

export type Command =
  | Create
  | Update
  | Moderation
  | { readonly _tag: "NoteActivity"; readonly day: string }
  | { readonly _tag: "GiveNamespace"; readonly namespaceId: number }
  | { readonly _tag: "Delete"; readonly hardDelete: boolean }
