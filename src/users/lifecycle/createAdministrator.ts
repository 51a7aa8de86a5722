import { Effect } from "effect"
import { handle, load } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { userAggregate } from "../aggregate.ts"
import type { Create } from "../commands.ts"
import { namesOf, reserveNames } from "../names.ts"
import { newProfile } from "../profile.ts"

/** The first user has the first id. */
export const firstAdministratorId = 1

/**
 * Creates the first administrator, who has no password, unless there is or was one: also when several processes start at
 * once. Answers where the log stands then. The names must be valid and free; another owner of them is a defect.
 */
export const createAdministrator = Effect.fnUntraced(function* (input: {
  readonly username: string
  readonly name: string
  readonly email: string
}) {
  const { username, email } = input
  const account = { username, email, profile: newProfile(input.name, {}) }
  const present = yield* load(userAggregate, firstAdministratorId)
  if (present.revision >= 0) return { position: present.position }
  const guard = yield* Effect.orDie(reserveNames(namesOf(account), userAggregate.stream(firstAdministratorId)))
  // Takes the id out of circulation.
  yield* nextId("user")
  const namespaceId = yield* nextId("namespace")
  const rights = { admin: true, confirmed: true, createdBy: null, passwordDigest: null }
  const command: Create = { _tag: "Create", ...account, ...rights, namespaceId }
  const sending = { commandId: "create-first-administrator", guard }
  const { position } = yield* Effect.orDie(handle(userAggregate, firstAdministratorId, command, sending))
  return { position }
}, spanned("users.createAdministrator"))
