import { readFileSync } from "node:fs"
import { type Change, idTaken, on, patch, put, type ReadModel, removeWhere } from "#projections/ReadModel.ts"
import type { RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { type TokenEvent, tokenCodec } from "#src/tokens/events.ts"
import { tokenIdOf } from "#src/tokens/ids.ts"
import { type UserEvent, userCodec } from "#src/users/events.ts"
import { userIdOf } from "#src/users/ids.ts"

const projectToken = (event: TokenEvent, { stream, at }: RecordedEvent): ReadonlyArray<Change> => {
  const id = tokenIdOf(stream)
  if (id === undefined) return []
  switch (event._tag) {
    case "TokenIssued": {
      const { userId, name, scopes, digest, expiresAt } = event
      const unused = { created_at: at, updated_at: at, last_used_at: null, last_used_on: null, revoked: false }
      const row = { id, user_id: userId, name, scopes, digest: `\\x${digest}`, expires_at: expiresAt, ...unused }
      return [put("tokens", row), idTaken("token", id)]
    }
    case "TokenUsed":
      return [patch("tokens", { id }, { last_used_at: at, last_used_on: event.day })]
    case "TokenRevoked":
    case "TokenRotated":
      return [patch("tokens", { id }, { revoked: true, updated_at: at })]
  }
}

/** The tokens of a deleted user disappear with them. */
const projectUser = (event: UserEvent, { stream }: RecordedEvent): ReadonlyArray<Change> => {
  const id = userIdOf(stream)
  return event._tag === "UserDeleted" && id !== undefined ? [removeWhere("tokens", { user_id: id })] : []
}

/** Personal access tokens of users who exist, revoked and expired ones included. */
export const tokensReadModel: ReadModel = {
  name: "tokens",
  version: 2,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { tokens: ["id"] },
  projections: [on(tokenCodec, projectToken), on(userCodec, projectUser)]
}
