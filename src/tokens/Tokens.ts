import { Context, type Effect } from "effect"
import type { KnownToken } from "../http/access/Authenticator.ts"

/** What authentication asks of tokens. */
export class Tokens extends Context.Service<
  Tokens,
  {
    /** The token with this digest (see `tokenDigest`) and its user, as they are now; undefined for an unknown one. */
    readonly authenticate: (digest: Buffer) => Effect.Effect<KnownToken | undefined>
  }
>()("chronoforge/tokens/Tokens") {}
