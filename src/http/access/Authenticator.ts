import { Context, type Effect } from "effect"
import type { UserRow } from "./Caller.ts"

/** A token as it is found by its text, whether or not it may be used. */
export interface KnownToken {
  readonly tokenId: number
  readonly user: UserRow
  readonly scopes: ReadonlyArray<string>
  /** The day, `YYYY-MM-DD` in UTC, from which on the token is refused. */
  readonly expiresAt: string | null
  readonly revoked: boolean
  /** The day of its last noted use, `YYYY-MM-DD`. */
  readonly lastUsedOn: string | null
}

/** What the edge must know of tokens and users. The areas behind it implement it. */
export class Authenticator extends Context.Service<
  Authenticator,
  {
    readonly findToken: (text: string) => Effect.Effect<KnownToken | undefined>
    /** Whether a text has the form of our tokens: it is taken for no password. */
    readonly isTokenText: (text: string) => boolean
    readonly findUser: (idOrUsername: string) => Effect.Effect<UserRow | undefined>
    /** Why a user may not use the service now; undefined for one who may. */
    readonly accountRefusal: (user: UserRow) => string | undefined
    /** Revokes what took the place of a rotated token, because its text has leaked. */
    readonly revokeSuccessors: (token: KnownToken) => Effect.Effect<void>
    /** Notes that token and user were active. Never waits and never fails. */
    readonly noteUse: (token: KnownToken) => Effect.Effect<void>
  }
>()("chronoforge/http/Authenticator") {}
