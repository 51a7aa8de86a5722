import { Schema } from "effect"
import { flag, integer, nullableDay, nullableTime, text, time } from "../http/answer/fields.ts"
import { isoMillis } from "../http/answer/jsonTimes.ts"
import { isExpired } from "./expiry.ts"
import type { TokenRow } from "./Queries.ts"

const fields = {
  id: integer("ID of the token."),
  name: text("What the token is for."),
  revoked: flag("Whether the token was revoked."),
  created_at: time("When the token was created."),
  scopes: Schema.Array(Schema.String).annotate({ description: "What the token allows." }),
  user_id: integer("ID of the user for whom it stands."),
  last_used_at: nullableTime("When the token was last used; null when it never was."),
  active: flag("Whether the token is accepted: neither revoked nor expired."),
  expires_at: nullableDay("The first day on which the token is refused.")
}

export const PersonalAccessToken = Schema.Struct(fields).annotate({ identifier: "PersonalAccessToken" })

/** A token with its text, which is shown once. */
export const IssuedToken = Schema.Struct({ ...fields, token: text("The token itself, which is shown this once.") }).annotate({
  identifier: "IssuedToken"
})

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
