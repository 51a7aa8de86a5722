import { Result } from "effect"
import { defined } from "../kernel/defined.ts"
import { effectiveChanges } from "../kernel/effectiveChanges.ts"
import { dayMillis } from "../kernel/units.ts"
import type { Aggregate } from "../platform/Aggregate.ts"
import type { Command, Create, Deactivate, Moderation, Update } from "./commands.ts"
import { RecentlyActive, type Refusal, StatusForbids, UserExists, UserMissing } from "./errors.ts"
import { type ProfileChanges, UserEvent, userCodec } from "./events.ts"
import { userStream } from "./ids.ts"
import { withRights } from "./profile.ts"
import { type Account, type AccountStatus, evolve, initial, type State } from "./state.ts"

type Decision = Result.Result<ReadonlyArray<UserEvent>, Refusal>

const { cases } = UserEvent
const dormantDays = 90

const nothing: Decision = Result.succeed([])
const missing: Decision = Result.fail(new UserMissing())
const forbidden = (status: AccountStatus): Decision => Result.fail(new StatusForbids({ status }))

const create = (command: Create): Decision => {
  const { username, email, admin, confirmed, createdBy, profile, passwordDigest, namespaceId } = command
  return Result.succeed([
    cases.UserCreated.make({ username, email, admin, confirmed, createdBy, profile, namespaceId }),
    ...(passwordDigest === null ? [] : [cases.UserPasswordChanged.make({ digest: passwordDigest })])
  ])
}

/** Addresses shown elsewhere must be the user's own: they are taken back with the address that they repeat. */
const withoutOldEmail = (changes: ProfileChanges, { email, profile }: Account): ProfileChanges => ({
  ...defined({
    publicEmail: profile.publicEmail === email ? null : undefined,
    commitEmail: profile.commitEmail === email ? null : undefined
  }),
  ...changes
})

const withIdentity = ({ identity, changes }: Update, { profile: { identities } }: Account): ProfileChanges => {
  if (identity === undefined) return changes
  const known = identities.some(({ provider }) => provider === identity.provider)
  if (!known) return { ...changes, identities: [...identities, identity] }
  return { ...changes, identities: identities.map((one) => (one.provider === identity.provider ? identity : one)) }
}

const update = (command: Update, account: Account): Decision => {
  const { username = account.username, email = account.email, admin = account.admin } = command
  const requested = withIdentity(command, account)
  const effective = email === account.email ? requested : withoutOldEmail(requested, account)
  const changes = effectiveChanges(withRights(effective, account.profile), account.profile)
  const { passwordDigest } = command
  return Result.succeed([
    ...(username === account.username ? [] : [cases.UserRenamed.make({ from: account.username, to: username })]),
    ...(email === account.email ? [] : [cases.UserEmailChanged.make({ from: account.email, to: email })]),
    ...(admin === account.admin ? [] : [admin ? cases.AdministratorGranted.make({}) : cases.AdministratorRevoked.make({})]),
    ...(Object.keys(changes).length === 0 ? [] : [cases.UserProfileChanged.make({ changes })]),
    ...(passwordDigest === undefined || passwordDigest === account.passwordDigest
      ? []
      : [cases.UserPasswordChanged.make({ digest: passwordDigest })])
  ])
}

const deactivate = (command: Deactivate, status: AccountStatus, { lastActivityOn }: Account): Decision => {
  if (status === "Deactivated") return nothing
  if (status !== "Active") return forbidden(status)
  const recently = lastActivityOn !== null && Date.parse(lastActivityOn) > command.at - dormantDays * dayMillis
  return recently ? Result.fail(new RecentlyActive({ days: dormantDays })) : Result.succeed([cases.UserDeactivated.make({})])
}

const moderate = (command: Moderation, status: AccountStatus, account: Account): Decision => {
  switch (command._tag) {
    case "Block":
      return status === "Blocked" || status === "Banned" ? nothing : Result.succeed([cases.UserBlocked.make({})])
    case "Unblock":
      if (status === "Deactivated") return forbidden(status)
      return status === "Blocked" ? Result.succeed([cases.UserUnblocked.make({})]) : nothing
    case "Deactivate":
      return deactivate(command, status, account)
    case "Activate":
      if (status === "Blocked" || status === "Banned") return forbidden(status)
      return status === "Deactivated" ? Result.succeed([cases.UserActivated.make({})]) : nothing
    case "Ban":
      return status === "Active" ? Result.succeed([cases.UserBanned.make({})]) : forbidden(status)
    case "Unban":
      return status === "Banned" ? Result.succeed([cases.UserUnbanned.make({})]) : forbidden(status)
  }
}

/**
 * Every repeat of a command against the state that it left adds nothing or is refused. Activity is noted once a day and
 * never for a day before the last one; that of missing users is ignored.
 */
const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Create") return state._tag === "Absent" ? create(command) : Result.fail(new UserExists())
  if (state._tag === "Absent" || state._tag === "Deleted") return command._tag === "NoteActivity" ? nothing : missing
  const { _tag: status, account } = state
  switch (command._tag) {
    case "Update":
      return update(command, account)
    case "NoteActivity":
      return account.lastActivityOn !== null && account.lastActivityOn >= command.day
        ? nothing
        : Result.succeed([cases.UserWasActive.make({ day: command.day })])
    case "GiveNamespace":
      return account.namespaceId === null
        ? Result.succeed([cases.NamespaceGiven.make({ namespaceId: command.namespaceId })])
        : nothing
    case "Delete":
      return Result.succeed([cases.UserDeleted.make({ hardDelete: command.hardDelete })])
    default:
      return moderate(command, status, account)
  }
}

export const userAggregate: Aggregate<number, Command, State, UserEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: userCodec,
  stream: userStream
}
