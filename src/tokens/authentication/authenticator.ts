import { Context, Effect, Layer } from "effect"
import { Authenticator } from "../../http/access/Authenticator.ts"
import { EventStore } from "../../platform/eventStore/EventStore.ts"
import { Projections } from "../../platform/Projections.ts"
import { accountRefusal, Users } from "../../users/Users.ts"
import { revokeSuccessors } from "../issue/rotate.ts"
import { isTokenText, tokenDigest } from "../issue/secret.ts"
import { Tokens } from "../Tokens.ts"
import { TokenUse } from "./TokenUse.ts"

/** Personal access tokens as the way to tell who asks. */
export const layerAuthenticator: Layer.Layer<Authenticator, never, EventStore | Projections | Tokens | TokenUse | Users> =
  Layer.effect(
    Authenticator,
    Effect.gen(function* () {
      const tokens = yield* Tokens
      const use = yield* TokenUse
      const users = yield* Users
      const projections = yield* Projections
      const log = yield* Effect.context<EventStore>()
      return Authenticator.of({
        findToken: (text) => tokens.authenticate(tokenDigest(text)),
        isTokenText,
        findUser: users.findByIdOrUsername,
        accountRefusal,
        revokeSuccessors: ({ tokenId }) =>
          Effect.provideContext(revokeSuccessors(tokenId), log).pipe(
            Effect.andThen(Context.get(log, EventStore).head),
            Effect.flatMap(projections.awaitPosition),
            Effect.ignore
          ),
        noteUse: use.note
      })
    })
  )
