import { Clock, Effect } from "effect"
import { badRequest, secretIsGone, thingNotFound, unknownRoute } from "../../http/answer/errors.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { isLongerThan } from "../../kernel/characters.ts"
import { alreadyCreated, alreadyHandled } from "../../platform/Commands.ts"
import { Users } from "../../users/Users.ts"
import { tokenAggregate } from "../aggregate.ts"
import { findManaged, findToken, pathId, presented } from "../authentication/lookup.ts"
import { createToken, rotateToken as rotateContract, rotateOwnToken } from "../contract.ts"
import type { TokenRow } from "../Queries.ts"
import { expiryError, latestExpiry, rotatedExpiry } from "./expiry.ts"
import { issueToken } from "./issue.ts"
import { rotateToken } from "./rotate.ts"

const secretOf = (id: number): string => `personal access token ${id}`

/** The answer to what issued a token: the only one that holds its text. */
const issued = Effect.fn("tokens.issued")(function* (id: number, text: string) {
  const token = yield* presented(yield* findToken(id))
  return { body: { ...token, token: text }, secretOf: secretOf(id) }
})

const nameError = (name: string): string | undefined => {
  if (name.trim() === "") return "Name can't be blank"
  return isLongerThan(name, 255) ? "Name is too long (maximum is 255 characters)" : undefined
}

const create = route(
  createToken,
  Effect.fnUntraced(function* ({ parameters }) {
    const earlier = yield* alreadyCreated(tokenAggregate)
    if (earlier !== undefined) {
      yield* awaitReadModels(earlier)
      return yield* secretIsGone(secretOf(earlier.id))
    }
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
    const { id, text, handled } = yield* issueToken({ userId, name, scopes, expiresAt, rotatedFrom: null })
    yield* awaitReadModels(handled)
    return yield* issued(id, text)
  })
)

const alreadyRevoked = badRequest("400 Bad request - token already revoked")

const rotate = Effect.fn("tokens.rotateAndShow")(function* (token: TokenRow, requestedExpiry: string | null | undefined) {
  const earlier = yield* alreadyHandled(tokenAggregate, token.id)
  if (earlier?.state._tag === "Revoked" && earlier.state.successor !== null) {
    yield* awaitReadModels(earlier)
    return yield* secretIsGone(secretOf(earlier.state.successor))
  }
  if (token.revoked) return yield* alreadyRevoked
  const now = yield* Clock.currentTimeMillis
  const expiresAt = requestedExpiry || rotatedExpiry(now)
  const error = expiryError(expiresAt, now)
  if (error !== undefined) return yield* badRequest(`400 Bad request - ${error}`)
  const { id, text, rotated } = yield* rotateToken(token, expiresAt).pipe(
    Effect.catchTag("AlreadyRevoked", () => Effect.fail(alreadyRevoked))
  )
  yield* awaitReadModels(rotated)
  return yield* issued(id, text)
})

export const issueRoutes = [
  create,
  route(rotateOwnToken, ({ parameters, caller }) =>
    Effect.flatMap(findToken(caller.tokenId), (token) => rotate(token, parameters.expires_at))
  ),
  route(rotateContract, ({ parameters, caller }) =>
    Effect.flatMap(findManaged(parameters.id, caller), (token) => rotate(token, parameters.expires_at))
  )
]
