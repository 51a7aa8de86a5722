import { Effect } from "effect"
import { invalidRecord } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { defined, nullAs } from "../../kernel/defined.ts"
import { handle } from "../../platform/Commands.ts"
import type { Name } from "../../platform/Reservations.ts"
import { changes } from "../../platform/repeats.ts"
import { userAggregate } from "../aggregate.ts"
import { nameTaken, requireValid } from "../attributes.ts"
import type { Update } from "../commands.ts"
import { updateUser } from "../contract.ts"
import type { Attributes } from "../faults.ts"
import { userStream } from "../ids.ts"
import { foldedEmail, identityOf, profileChanges, type UpdateParameters } from "../input.ts"
import { emailName, heldNames, identityName, releaseUnheld, reserveNames } from "../names.ts"
import { digestPassword } from "../passwords/digest.ts"
import { administratorView, requireUser, userNotFound } from "../present.ts"
import { topLevelName } from "../Users.ts"
import { unlessLastAdministrator } from "./lastAdministrator.ts"

const attributesOf = (parameters: UpdateParameters): Attributes => ({
  ...defined({
    email: typeof parameters.email === "string" ? foldedEmail(parameters.email) : undefined,
    username: parameters.username ?? undefined,
    password: parameters.password || undefined
  }),
  changes: { ...profileChanges(parameters), ...defined({ name: nullAs(parameters.name, "") }) }
})

/** The names that the user has by the update. What it has already is reserved, too: another update may give it away meanwhile. */
const statedNames = ({ email, username, identity }: Omit<Update, "_tag">): ReadonlyArray<Name> => [
  ...(email === undefined ? [] : [emailName(email)]),
  ...(username === undefined ? [] : [topLevelName(username)]),
  ...(identity === undefined ? [] : [identityName(identity)])
]

const lastAdministrator = invalidRecord({ admin: ["cannot be taken from the last administrator"] })

const updated = Effect.fnUntraced(function* (id: number, given: UpdateParameters) {
  const user = yield* requireUser(id)
  const requested = attributesOf(given)
  const { email = user.email, username = user.username } = requested
  yield* requireValid(requested, { email, username, name: requested.changes.name ?? user.name }, id)
  const { password, ...attributes } = requested
  const command: Omit<Update, "_tag"> = defined({
    ...attributes,
    admin: given.admin ?? undefined,
    identity: identityOf(given),
    passwordDigest: password === undefined ? undefined : yield* digestPassword(password)
  })
  const stated = statedNames(command)
  const guard = yield* reserveNames(stated, userStream(id)).pipe(Effect.mapError(nameTaken))
  const demotes = command.admin === false && user.admin
  const write = handle(userAggregate, id, { _tag: "Update", ...command }, { guard })
  const handled = yield* (demotes ? unlessLastAdministrator(user, lastAdministrator)(write) : write).pipe(
    Effect.catchTags({ UserMissing: () => Effect.fail(userNotFound), NameTaken: (taken) => Effect.fail(nameTaken(taken)) }),
    Effect.catchTag(["UserExists", "StatusForbids", "RecentlyActive"], Effect.die)
  )
  if (stated.length > 0) yield* releaseUnheld([...heldNames(user), ...stated], id)
  return handled
})

/**
 * Gap: the reference service keeps a new address aside until it is confirmed by mail. No mail is sent here, so it counts at
 * once, as with `skip_reconfirmation`.
 */
export const update = route(
  updateUser,
  Effect.fnUntraced(function* ({ parameters, request }) {
    const id = parameters.id ?? (yield* userNotFound)
    yield* awaitReadModels(yield* changes(userAggregate, id, updated(id, parameters)))
    return ok(yield* administratorView(id, request.externalUrl))
  })
)
