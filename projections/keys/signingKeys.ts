import { Effect, Layer } from "effect"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { type SigningKeyRow, SigningKeys } from "#src/repositories/commits/SigningKeys.ts"

/** Answers which keys of users sign, from the read model `keys`. */
export const signingKeys: Layer.Layer<SigningKeys, never, Sql> = Layer.effect(
  SigningKeys,
  Effect.map(Sql, ({ client }) => ({
    find: (fingerprint) =>
      Effect.map(
        query(
          () => client<Array<SigningKeyRow>>`
            select k.id, k.title, k.created_at, k.expires_at, k.key, k.usage_type, to_jsonb(u) as owner
            from rm_keys.keys k join rm_users.users u on u.id = k.user_id
            where k.fingerprint_sha256 = ${fingerprint} and k.kind = 'user' and k.usage_type in ('signing', 'auth_and_signing')`
        ),
        ([row]) => row
      )
  }))
)
