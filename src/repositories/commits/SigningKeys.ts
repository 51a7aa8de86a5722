import { Context, type Effect } from "effect"
import type { UserRow } from "../../http/access/Caller.ts"

/** An SSH key of a user that signs. Times are milliseconds since 1970. */
export interface SigningKeyRow {
  readonly id: number
  readonly title: string
  readonly created_at: number
  readonly expires_at: number | null
  /** The algorithm, the blob and the first word of the comment. */
  readonly key: string
  readonly usage_type: "signing" | "auth_and_signing"
  readonly owner: UserRow
}

/** What commits ask of the keys of users. */
export class SigningKeys extends Context.Service<
  SigningKeys,
  {
    /** Finds a key by its SHA-256 fingerprint in Base64, without padding and prefix. */
    readonly find: (fingerprint: string) => Effect.Effect<SigningKeyRow | undefined>
  }
>()("chronoforge/repositories/SigningKeys") {}
