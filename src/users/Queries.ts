import { Context, type Effect } from "effect"
import type { UserRow } from "../http/access/Caller.ts"
import type { Slice } from "../http/answer/pagination.ts"
import type { UserReferenceRow } from "../http/answer/shapes.ts"

/** A user with the one who created them, for the view of administrators. */
export interface AdministeredUser extends UserRow {
  /** The creator; null when nobody created the user, or when the creator is deleted. */
  readonly creator: UserReferenceRow | null
}

export type UserOrder = "id" | "name" | "username" | "created_at" | "updated_at"

/** Selects users; absent conditions hold for all. Times are milliseconds since 1970, bounds included. */
export interface UserFilter {
  /** The user name, compared without regard to case. */
  readonly username?: string
  /** A part of the name or user name, or a whole e-mail address: any when `privateEmails`, else only a public one. */
  readonly search?: { readonly text: string; readonly privateEmails: boolean }
  readonly identity?: { readonly provider: string; readonly externUid: string }
  /** Leaves blocked and banned users out. */
  readonly withoutForbidden: boolean
  readonly active?: boolean
  readonly blocked?: true
  readonly external?: boolean
  readonly admins?: true
  /** Users without a role in any project. */
  readonly withoutProjects?: true
  readonly createdAfter?: number
  readonly createdBefore?: number
  /** With `relevance`, equal names, user names and e-mail addresses come first, then the order is by name. */
  readonly order: { readonly by: UserOrder | "relevance"; readonly descending: boolean }
}

interface Page<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly total: number
}

/** Questions about users that only this area asks. */
export class UserQueries extends Context.Service<
  UserQueries,
  {
    /** Users of older logs who have no namespace of their own yet, by id. */
    readonly withoutNamespace: Effect.Effect<ReadonlyArray<number>>
    /** The ids of the groups of which this user is the only owner. */
    readonly solelyOwned: (id: number) => Effect.Effect<ReadonlyArray<number>>
    /** Whether another user is an administrator and neither blocked, banned nor deactivated. */
    readonly hasOtherAdministrator: (id: number) => Effect.Effect<boolean>
    /** The highest access level that a user has as a direct member of a group or project; 0 for none. */
    readonly highestRole: (id: number) => Effect.Effect<number>
    readonly administered: (id: number) => Effect.Effect<AdministeredUser | undefined>
    readonly list: (filter: UserFilter, slice: Slice) => Effect.Effect<Page<AdministeredUser>>
    /** Lists the same users with fewer columns. */
    readonly listReferences: (filter: UserFilter, slice: Slice) => Effect.Effect<Page<UserReferenceRow>>
    /** Whether users other than `except` have this email address or user name, without regard to case. */
    readonly taken: (
      names: { readonly email?: string; readonly username?: string },
      except: number | null
    ) => Effect.Effect<{ readonly email: boolean; readonly username: boolean }>
  }
>()("chronoforge/users/UserQueries") {}
