import { Effect } from "effect"
import { handle, load } from "../platform/Commands.ts"
import { nextId } from "../platform/Ids.ts"
import { userAggregate } from "./handle.ts"
import { namesOf, reserveNames } from "./names.ts"
import { newProfile } from "./profile.ts"

/** The first user has the first id. */
export const firstAdministratorId = 1

/**
 * Creates the first administrator, who has no password, unless there is or was one: also when several processes start at
 * once. Answers where the log stands then. The names must be valid and free; another owner of them is a defect.
 */
export const createAdministrator = Effect.fn("users.createAdministrator")(function* (wanted: {
  readonly username: string
  readonly name: string
  readonly email: string
}) {
  const { username, email } = wanted
  const account = { username, email, profile: newProfile(wanted.name, {}) }
  const command = { _tag: "Create", ...account, admin: true, confirmed: true, createdBy: null, passwordDigest: null } as const
  const { past } = yield* load(userAggregate, firstAdministratorId)
  if (past.length === 0) {
    yield* Effect.orDie(reserveNames(namesOf(account), userAggregate.stream(firstAdministratorId)))
    // Takes the id out of circulation.
    yield* nextId("user")
  }
  return yield* Effect.orDie(handle(userAggregate, firstAdministratorId, command, "create-first-administrator"))
})
