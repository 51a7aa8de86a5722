import { Effect } from "effect"
import { conflict, invalidRecord, type WireError } from "../http/answer/errors.ts"
import { presentFaults } from "../http/answer/faults.ts"
import { defined } from "../kernel/defined.ts"
import { spanned } from "../platform/logging/tracing.ts"
import type { NameTaken } from "../platform/Reservations.ts"
import { type Attributes, attributeFaults } from "./faults.ts"
import { userIdOf } from "./ids.ts"
import type { PasswordOwner } from "./passwords/isCommonPassword.ts"
import { UserQueries } from "./Queries.ts"

const emailTaken = conflict("Email has already been taken")
const usernameTaken = conflict("Username has already been taken")

/** The error that a client gets for a name that somebody else has. */
export const nameTaken = ({ name, owner }: NameTaken): WireError => {
  if (name.kind === "email") return emailTaken
  if (name.kind === "identity") return invalidRecord({ "identities.extern_uid": ["has already been taken"] })
  // A group, not a user, has the path.
  return userIdOf(owner) === undefined ? invalidRecord({ username: ["has already been taken"] }) : usernameTaken
}

/** Refuses an address or a user name that somebody other than `except` has, as far as the read model knows. */
export const requireAvailable = Effect.fnUntraced(function* (
  { email, username }: Pick<Attributes, "email" | "username">,
  except: number | null
) {
  const taken = yield* UserQueries.use((users) => users.taken(defined({ email, username }), except))
  if (taken.email) return yield* emailTaken
  if (taken.username) return yield* usernameTaken
}, spanned("users.requireAvailable"))

/**
 * Refuses invalid attributes of a user whose name and addresses are, or will be, those of `owner`. That an address or a name is taken by
 * somebody other than `except` is what the client hears of first.
 */
export const requireValid = Effect.fnUntraced(function* (attributes: Attributes, owner: PasswordOwner, except: number | null) {
  const faults = attributeFaults(attributes, owner)
  if (faults.length === 0) return
  yield* requireAvailable(attributes, except)
  return yield* invalidRecord(presentFaults(faults))
}, spanned("users.requireValid"))
