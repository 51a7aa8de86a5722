import { Effect } from "effect"
import { requireUnmodified } from "../http/answer/conditional.ts"
import { notFound } from "../http/answer/errors.ts"
import { noContent, ok } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { route } from "../http/Endpoint.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { handle } from "../platform/Commands.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { changes } from "../platform/repeats.ts"
import { tokenAggregate } from "./aggregate.ts"
import { readOwnToken, readToken, revokeOwnToken, revokeToken } from "./contract.ts"
import { issueRoutes } from "./issue/handlers.ts"
import { list } from "./listHandlers.ts"
import { findManaged, findToken, presented } from "./lookup.ts"
import type { TokenRow } from "./Queries.ts"

const revoke = Effect.fnUntraced(function* (token: TokenRow, request: RequestInfo) {
  const { id } = token
  yield* changes(tokenAggregate, id, requireUnmodified(token.updated_at, request))
  const handled = yield* handle(tokenAggregate, id, { _tag: "Revoke", reason: "requested" }).pipe(
    Effect.catchTag("TokenMissing", () => Effect.fail(notFound)),
    Effect.catchTag(["TokenExists", "AlreadyRevoked"], Effect.die)
  )
  yield* awaitReadModels(handled)
  return noContent
}, spanned("tokens.revoke"))

const reading = [
  route(readOwnToken, ({ caller }) => Effect.map(Effect.flatMap(findToken(caller.tokenId), presented), ok)),
  route(readToken, ({ parameters, caller }) => Effect.map(Effect.flatMap(findManaged(parameters.id, caller), presented), ok))
]

/** Gap: the reference service answers 400 when the token is somebody else's; here it does not tell that it exists. */
const revoking = [
  route(revokeOwnToken, ({ caller, request }) => Effect.flatMap(findToken(caller.tokenId), (token) => revoke(token, request))),
  route(revokeToken, ({ parameters, caller, request }) =>
    Effect.flatMap(findManaged(parameters.id, caller), (token) => revoke(token, request))
  )
]

/** Fixed paths come before those with an id. */
export const tokenRoutes = [list, ...reading, ...revoking, ...issueRoutes]
