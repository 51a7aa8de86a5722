import { Effect } from "effect"
import { handle } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { type Issue, tokenAggregate } from "../aggregate.ts"
import { newTokenText, tokenDigest } from "./secret.ts"

/** Issues a token with a new text, which only the answer holds. */
export const issueToken = Effect.fnUntraced(function* (input: Omit<Issue, "_tag" | "digest">) {
  const id = yield* nextId("token")
  const text = newTokenText()
  const command = { _tag: "Issue", ...input, digest: tokenDigest(text).toString("hex") } as const
  const handled = yield* Effect.orDie(handle(tokenAggregate, id, command))
  return { ...handled, id, text }
}, spanned("tokens.issue"))
