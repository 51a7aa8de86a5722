import { Context, type Effect } from "effect"

/** A row of the tokens read model. Times are milliseconds since 1970. */
export interface TokenRow {
  readonly id: number
  readonly user_id: number
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly created_at: number
  /** When it was created, rotated or revoked. */
  readonly updated_at: number
  readonly last_used_at: number | null
  /** The day is written `YYYY-MM-DD`. */
  readonly expires_at: string | null
  readonly revoked: boolean
}

export type TokenOrder = "id" | "created_at" | "expires_at" | "last_used_at" | "name"

/** Selects tokens; absent conditions hold for all. Times are milliseconds since 1970, dates `YYYY-MM-DD`. */
export interface TokenFilter {
  readonly userId?: number
  /** `today` decides what has expired. */
  readonly active?: { readonly is: boolean; readonly today: string }
  readonly revoked?: boolean
  /** A part of the name. */
  readonly search?: string
  readonly createdAfter?: number
  readonly createdBefore?: number
  readonly lastUsedAfter?: number
  readonly lastUsedBefore?: number
  /** The first day that matches. */
  readonly expiresAfter?: string
  /** The first day that does not match any more. */
  readonly expiresBefore?: string
  readonly order: { readonly by: TokenOrder; readonly descending: boolean }
}

/** Questions about tokens that only this area asks. */
export class TokenQueries extends Context.Service<
  TokenQueries,
  {
    readonly find: (id: number) => Effect.Effect<TokenRow | undefined>
    readonly list: (
      filter: TokenFilter,
      page: { readonly offset: number; readonly limit: number }
    ) => Effect.Effect<{ readonly tokens: ReadonlyArray<TokenRow>; readonly total: number }>
  }
>()("chronoforge/tokens/TokenQueries") {}
