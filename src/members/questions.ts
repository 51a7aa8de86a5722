import type { Effect } from "effect"
import type { UserReferenceRow } from "../http/answer/shapes.ts"
import type { Visibility } from "../kernel/visibility.ts"

/** A membership of a read model. Times are milliseconds since 1970. */
export interface MemberRow {
  readonly user: UserReferenceRow
  readonly access_level: number
  readonly created_at: number
  readonly updated_at: number
  /** The day is written `YYYY-MM-DD`. */
  readonly expires_at: string | null
  /** Who added the member; null when nobody did, or when that user is deleted; `hidden` from whoever may not know. */
  readonly created_by: UserReferenceRow | "hidden" | null
}

/** A group with which something is shared, and what whoever asks is to it. */
export interface ShareRow {
  /** The id of the share. */
  readonly id: number
  /** The id of the group or project that is shared. */
  readonly shared_id: number
  readonly group_id: number
  readonly group_name: string
  readonly group_full_path: string
  /** The time is in milliseconds since 1970. */
  readonly created_at: number
  readonly access_level: number
  /** The day is written `YYYY-MM-DD`. */
  readonly expires_at: string | null
  readonly visibility: Visibility
  /** Access level of whoever asks in the group; 0 for none. */
  readonly role: number
  /** Whether whoever asks is a member of something below the group; only told where it is hidden otherwise. */
  readonly leadsToMembership: boolean
}

/** Selects members; absent conditions hold for all. */
export interface MemberFilter {
  /** A part of the name or user name. */
  readonly search?: string
  readonly userIds?: ReadonlyArray<number>
  readonly withoutUserIds?: ReadonlyArray<number>
}

/** Whoever asks for members. */
export interface MemberReader {
  readonly userId: number
  readonly isAdministrator: boolean
  /** Whether internal groups are hidden unless the user is a member. */
  readonly isExternal: boolean
}

/** The members of the group or project `id`. */
export interface MembersOf {
  readonly id: number
  /**
   * With a reader, inherited members are included, also those of invited groups that the reader may see; each user is listed once,
   * with the highest level. Without one only direct members are.
   */
  readonly reader?: MemberReader
}

/** The questions about the members of one kind of thing. Memberships that have ended are not shown. */
export interface MemberQuestions {
  /** Lists members by the time of joining. */
  readonly list: (
    of: MembersOf,
    filter: MemberFilter,
    slice: { readonly limit: number; readonly offset: number }
  ) => Effect.Effect<{ readonly rows: ReadonlyArray<MemberRow>; readonly total: number }>
  readonly find: (of: MembersOf, userId: number) => Effect.Effect<MemberRow | undefined>
  /** The highest membership that a user has from above, with the name of its group; undefined for none. */
  readonly inherited: (
    id: number,
    userId: number
  ) => Effect.Effect<{ readonly access_level: number; readonly group_name: string } | undefined>
  /** Whether others than this user are owners: at all, and from above. */
  readonly otherOwners: (
    id: number,
    userId: number
  ) => Effect.Effect<{ readonly hasOtherOwner: boolean; readonly hasInheritedOwner: boolean }>
}
