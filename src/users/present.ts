import { Effect } from "effect"
import type { UserRow } from "../http/access/Caller.ts"
import { thingNotFound, type WireError } from "../http/answer/errors.ts"
import { administeredUser } from "../http/answer/shapes.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { UserQueries } from "./Queries.ts"
import { Users } from "./Users.ts"

export const userNotFound = thingNotFound("User")

export const requireUser = (id: number): Effect.Effect<UserRow, WireError, Users> =>
  Effect.filterOrFail(
    Users.use((users) => users.find(id)),
    (user) => user !== undefined,
    () => userNotFound
  )

/** The view of administrators, as the read model has it now. */
export const administratorView = Effect.fnUntraced(function* (id: number, externalUrl: string) {
  const found = yield* UserQueries.use((users) => users.administered(id))
  if (found === undefined) return yield* userNotFound
  return administeredUser(found, found.creator, externalUrl)
}, spanned("users.administratorView"))
