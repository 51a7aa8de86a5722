import { Effect } from "effect"
import { notFound } from "../http/answer/errors.ts"
import { noContent, ok } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { route } from "../http/Endpoint.ts"
import { handle } from "../platform/Commands.ts"
import { tokenAggregate } from "./aggregate.ts"
import { findManaged, findToken, presented } from "./authentication/lookup.ts"
import { readOwnToken, readToken, revokeOwnToken, revokeToken } from "./contract.ts"
import { issueRoutes } from "./issue/handlers.ts"
import { list } from "./listHandler.ts"

const revoke = Effect.fn("tokens.revoke")(function* (id: number) {
  const handled = yield* handle(tokenAggregate, id, { _tag: "Revoke", reason: "requested" }).pipe(
    Effect.catchTag("TokenMissing", () => Effect.fail(notFound)),
    Effect.catchTag(["TokenExists", "AlreadyRevoked"], Effect.die)
  )
  yield* awaitReadModels(handled)
  return noContent
})

const reading = [
  route(readOwnToken, ({ caller }) => Effect.map(Effect.flatMap(findToken(caller.tokenId), presented), ok)),
  route(readToken, ({ parameters, caller }) => Effect.map(Effect.flatMap(findManaged(parameters.id, caller), presented), ok))
]

/** Gap: the reference service answers 400 when the token is somebody else's; here it does not tell that it exists. */
const revoking = [
  route(revokeOwnToken, ({ caller }) => revoke(caller.tokenId)),
  route(revokeToken, ({ parameters, caller }) => Effect.flatMap(findManaged(parameters.id, caller), ({ id }) => revoke(id)))
]

/** Fixed paths come before those with an id. */
export const tokenRoutes = [list, ...reading, ...revoking, ...issueRoutes]
