import { Clock, Effect } from "effect"
import { badRequest, secretIsGone, thingNotFound, unknownRoute } from "../../http/answer/errors.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { type Input, route } from "../../http/Endpoint.ts"
import { isLongerThan } from "../../kernel/characters.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { changes, creates } from "../../platform/repeats.ts"
import { Users } from "../../users/Users.ts"
import { tokenAggregate } from "../aggregate.ts"
import { createToken, rotateToken as rotateContract, rotateOwnToken } from "../contract.ts"
import { expiryError, latestExpiry, rotatedExpiry } from "../expiry.ts"
import { findRotatable, findToken, pathId, presented } from "../lookup.ts"
import type { TokenRow } from "../Queries.ts"
import { issueToken } from "./issue.ts"
import { rotateToken } from "./rotate.ts"

const secretOf = (id: number): string => `personal access token ${id}`

/** The answer to what issued a token: the only one that holds its text, which is not known of one that was issued before. */
const issued = Effect.fnUntraced(function* (id: number, text: string | undefined) {
  if (text === undefined) return yield* secretIsGone(secretOf(id))
  const token = yield* presented(yield* findToken(id))
  return { body: { ...token, token: text }, secretOf: secretOf(id) }
}, spanned("tokens.issued"))

const nameError = (name: string): string | undefined => {
  if (name.trim() === "") return "Name can't be blank"
  return isLongerThan(name, 255) ? "Name is too long (maximum is 255 characters)" : undefined
}

const created = Effect.fnUntraced(function* ({ parameters }: Input<typeof createToken.parameters, "user">) {
  const userId = pathId(parameters.user_id)
  if (userId === undefined) return yield* unknownRoute
  const user = yield* Users.use((users) => users.find(userId))
  if (user === undefined) return yield* thingNotFound("User")
  const now = yield* Clock.currentTimeMillis
  const name = parameters.name ?? ""
  const scopes = [...new Set(parameters.scopes)]
  const expiresAt = parameters.expires_at || latestExpiry(now)
  const errors = [nameError(name), scopes.length === 0 ? "Scopes can't be blank" : undefined, expiryError(expiresAt, now)]
  const texts = errors.filter((text) => text !== undefined)
  if (texts.length > 0) return yield* badRequest(texts.join(" and "))
  return yield* issueToken({ userId, name, scopes, expiresAt, rotatedFrom: null })
})

const create = route(
  createToken,
  Effect.fnUntraced(function* (input) {
    const written = yield* creates(tokenAggregate, created(input))
    yield* awaitReadModels(written)
    return yield* issued(written.id, "text" in written ? written.text : undefined)
  })
)

const alreadyRevoked = badRequest("400 Bad request - token already revoked")

const rotated = Effect.fnUntraced(function* (token: TokenRow, requestedExpiry: string | null | undefined) {
  if (token.revoked) return yield* alreadyRevoked
  const now = yield* Clock.currentTimeMillis
  const expiresAt = requestedExpiry || rotatedExpiry(now)
  const error = expiryError(expiresAt, now)
  if (error !== undefined) return yield* badRequest(`400 Bad request - ${error}`)
  return yield* Effect.catchTag(rotateToken(token, expiresAt), "AlreadyRevoked", () => Effect.fail(alreadyRevoked))
})

const rotate = Effect.fnUntraced(function* (token: TokenRow, requestedExpiry: string | null | undefined) {
  const written = yield* changes(tokenAggregate, token.id, rotated(token, requestedExpiry))
  const successor = written.state._tag === "Revoked" ? written.state.successor : null
  if (successor === null) return yield* alreadyRevoked
  yield* awaitReadModels(written)
  return yield* issued(successor, "text" in written ? written.text : undefined)
}, spanned("tokens.rotateAndShow"))

export const issueRoutes = [
  create,
  route(rotateOwnToken, ({ parameters, caller }) =>
    Effect.flatMap(findToken(caller.tokenId), (token) => rotate(token, parameters.expires_at))
  ),
  route(rotateContract, ({ parameters, caller }) =>
    Effect.flatMap(findRotatable(parameters.id, caller), (token) => rotate(token, parameters.expires_at))
  )
]
