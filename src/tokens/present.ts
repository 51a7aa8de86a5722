import { Schema } from "effect"
import { isoMillis } from "../http/answer/jsonTimes.ts"
import { isExpired } from "./issue/expiry.ts"
import type { TokenRow } from "./Queries.ts"

const fields = {
  id: Schema.Int,
  name: Schema.String,
  revoked: Schema.Boolean,
  created_at: Schema.String,
  scopes: Schema.Array(Schema.String),
  user_id: Schema.Int,
  last_used_at: Schema.NullOr(Schema.String),
  active: Schema.Boolean,
  expires_at: Schema.NullOr(Schema.String)
}

export const PersonalAccessToken = Schema.Struct(fields).annotate({ identifier: "PersonalAccessToken" })

/** A token with its text, which is shown once. */
export const IssuedToken = Schema.Struct({ ...fields, token: Schema.String }).annotate({ identifier: "IssuedToken" })

/** `today` is `YYYY-MM-DD`, UTC. */
export const personalAccessToken = (token: TokenRow, today: string): typeof PersonalAccessToken.Type => ({
  id: token.id,
  name: token.name,
  revoked: token.revoked,
  created_at: isoMillis(token.created_at),
  scopes: token.scopes,
  user_id: token.user_id,
  last_used_at: token.last_used_at === null ? null : isoMillis(token.last_used_at),
  active: !token.revoked && !isExpired(token.expires_at, today),
  expires_at: token.expires_at
})
