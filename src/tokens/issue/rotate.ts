import { Effect } from "effect"
import { handle, load } from "../../platform/Commands.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { creates } from "../../platform/repeats.ts"
import { tokenAggregate } from "../aggregate.ts"
import type { TokenRow } from "../Queries.ts"
import { issueToken } from "./issue.ts"

/**
 * Replaces a token: issues its successor with the same name and scopes, then revokes it. In this order, a crash in between
 * locks nobody out; the successor's text is then known to nobody, nor does the repeat of the request tell it. Fails with `AlreadyRevoked`.
 */
export const rotateToken = Effect.fnUntraced(function* (token: TokenRow, expiresAt: string) {
  const { id, user_id: userId, name, scopes } = token
  const successor = yield* creates(tokenAggregate, issueToken({ userId, name, scopes, expiresAt, rotatedFrom: id }))
  const rotated = yield* handle(tokenAggregate, id, { _tag: "Rotate", successor: successor.id }).pipe(
    Effect.tapError(() => handle(tokenAggregate, successor.id, { _tag: "Revoke", reason: "rotationOvertaken" })),
    Effect.catchTag(["TokenMissing", "TokenExists"], Effect.die)
  )
  return { ...rotated, text: "text" in successor ? successor.text : undefined }
}, spanned("tokens.rotate"))

/**
 * Revokes the token that took the place of a rotated one, directly or after further rotations. To be called when a rotated
 * token is presented for rotation: its text has leaked, and the successor may be a thief's.
 */
export const revokeSuccessors = Effect.fnUntraced(function* (id: number) {
  let { state } = yield* load(tokenAggregate, id)
  while (state._tag === "Revoked" && state.successor !== null) {
    const revoked = yield* Effect.orDie(handle(tokenAggregate, state.successor, { _tag: "Revoke", reason: "reuse" }))
    state = revoked.state
  }
}, spanned("tokens.revokeSuccessors"))
