import { Clock, Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { notFound, unauthorized, type WireError } from "../http/answer/errors.ts"
import { isoDate } from "../http/answer/jsonTimes.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { mayManageTokensOf } from "./permissions.ts"
import { personalAccessToken } from "./present.ts"
import { TokenQueries, type TokenRow } from "./Queries.ts"

/** The id in a path; undefined for what cannot be one. */
export const pathId = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined

export const findToken = (id: number): Effect.Effect<TokenRow, WireError, TokenQueries> =>
  Effect.filterOrFail(
    TokenQueries.use((tokens) => tokens.find(id)),
    (token) => token !== undefined,
    () => notFound
  )

/** A token that the caller may see and manage; to others it is as if it did not exist. */
export const findManaged = Effect.fnUntraced(function* (text: string | null, caller: Caller) {
  const id = pathId(text)
  if (id === undefined) return yield* notFound
  const token = yield* findToken(id)
  return mayManageTokensOf(caller, token.user_id) ? token : yield* notFound
}, spanned("tokens.findManaged"))

/** A token that the caller may rotate. Only administrators are told that there is none. */
export const findRotatable = (text: string | null, caller: Caller) =>
  caller.user.admin ? findManaged(text, caller) : Effect.mapError(findManaged(text, caller), () => unauthorized)

export const presented = (token: TokenRow) =>
  Effect.map(Clock.currentTimeMillis, (now) => personalAccessToken(token, isoDate(now)))
