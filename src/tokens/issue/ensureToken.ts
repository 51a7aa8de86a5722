import { Effect } from "effect"
import { handle } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { reserve } from "../../platform/Reservations.ts"
import { tokenAggregate } from "../aggregate.ts"
import { tokenIdOf, tokenStream } from "../ids.ts"
import { Tokens } from "../Tokens.ts"
import { tokenDigest } from "./secret.ts"

/** The token with a text, as read models show it. */
export const tokenWith = (text: string) => Tokens.use((tokens) => tokens.authenticate(tokenDigest(text)))

/**
 * Issues a token with a text that somebody else has chosen, once: also when several processes start at once, or one died
 * half-way. It never expires. A text that was known is left as it is, even when its token is revoked, so that a restart does
 * not undo a revocation; the answer is then undefined, or has no events.
 */
export const ensureToken = Effect.fnUntraced(function* (input: {
  readonly userId: number
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly text: string
}) {
  const { text, ...attributes } = input
  if ((yield* tokenWith(text)) !== undefined) return undefined
  // The read model may lag behind, so the log decides which id the text has: whoever comes second repeats the first one's command.
  const hex = tokenDigest(text).toString("hex")
  const own = yield* nextId("token")
  const id = yield* reserve({ kind: "token_digest", text: hex }, tokenStream(own), () => Effect.succeed(true)).pipe(
    Effect.as(own),
    Effect.catchTag("NameTaken", ({ owner }) => Effect.succeed(tokenIdOf(owner) ?? own))
  )
  const command = { _tag: "Issue", ...attributes, expiresAt: null, digest: hex, rotatedFrom: null } as const
  return yield* Effect.orDie(handle(tokenAggregate, id, command, { commandId: `ensure-token/${hex}` }))
}, spanned("tokens.ensure"))
