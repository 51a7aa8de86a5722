import { Effect } from "effect"
import { ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { type Input, route } from "../../http/Endpoint.ts"
import { defined } from "../../kernel/defined.ts"
import { handle } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { creates } from "../../platform/repeats.ts"
import { userAggregate } from "../aggregate.ts"
import { nameTaken, requireAvailable, requireValid } from "../attributes.ts"
import type { Create } from "../commands.ts"
import { createUser } from "../contract.ts"
import { userStream } from "../ids.ts"
import { foldedEmail, identityOf, profileChanges } from "../input.ts"
import { namesOf, reserveForNew } from "../names.ts"
import { digestPassword } from "../passwords/digest.ts"
import { administratorView } from "../present.ts"
import { newProfile } from "../profile.ts"

type Given = Input<typeof createUser.parameters, "user">

const created = Effect.fnUntraced(function* ({ parameters, caller }: Given) {
  const { password, reset_password, force_random_password, admin, skip_confirmation } = parameters
  // Nobody ever learns a random password, and no mail is sent for a reset: such users have none.
  const passwordText = reset_password || force_random_password ? undefined : (password ?? "")
  const [email, username, name] = [foldedEmail(parameters.email), parameters.username ?? "", parameters.name ?? ""]
  const changes = { ...profileChanges(parameters), name }
  yield* requireValid(defined({ email, username, changes, password: passwordText }), { email, username, name }, null)
  // No id is taken, and no password digested, for what is refused.
  yield* requireAvailable({ email, username }, null)
  const identity = identityOf(parameters)
  const profile = newProfile(name, { ...changes, identities: identity === undefined ? [] : [identity] })
  const passwordDigest = passwordText === undefined ? null : yield* digestPassword(passwordText)
  const id = yield* nextId("user")
  const guard = yield* reserveForNew(namesOf({ email, username, profile }), userStream(id)).pipe(Effect.mapError(nameTaken))
  const command: Create = {
    _tag: "Create",
    email,
    username,
    profile,
    passwordDigest,
    namespaceId: yield* nextId("namespace"),
    admin: admin === true,
    confirmed: skip_confirmation === true,
    createdBy: caller.user.id
  }
  const handled = yield* handle(userAggregate, id, command, { guard }).pipe(
    Effect.catchTag("NameTaken", (taken) => Effect.fail(nameTaken(taken))),
    Effect.catchTag(["UserExists", "UserMissing", "StatusForbids", "RecentlyActive"], Effect.die)
  )
  return { ...handled, id }
})

export const create = route(
  createUser,
  Effect.fnUntraced(function* (input) {
    const written = yield* creates(userAggregate, created(input))
    yield* awaitReadModels(written)
    return ok(yield* administratorView(written.id, input.request.externalUrl))
  })
)
