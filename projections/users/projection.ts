import { readFileSync } from "node:fs"
import { type Change, idTaken, on, patch, put, type ReadModel, type Row, remove } from "#projections/ReadModel.ts"
import { defined } from "#src/kernel/defined.ts"
import { snakeCased } from "#src/kernel/letterCase.ts"
import type { RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { type ProfileChanges, type UserEvent, userCodec } from "#src/users/events.ts"
import { userIdOf } from "#src/users/ids.ts"

const profileColumns = ({ identities, ...rest }: ProfileChanges): Row => ({
  ...snakeCased(rest),
  ...defined({ identities: identities?.map(snakeCased) })
})

const created = (event: UserEvent & { readonly _tag: "UserCreated" }, id: number, at: number): Row => ({
  id,
  username: event.username,
  email: event.email,
  state: "active",
  admin: event.admin,
  created_at: at,
  updated_at: at,
  confirmed_at: event.confirmed ? at : null,
  last_activity_on: null,
  created_by: event.createdBy,
  namespace_id: event.namespaceId ?? null,
  ...profileColumns(event.profile)
})

/** What an event changes of a row, besides the time of its last change; undefined for events that no column shows. */
const columns = (event: UserEvent): Row | undefined => {
  switch (event._tag) {
    case "UserProfileChanged":
      return profileColumns(event.changes)
    case "UserRenamed":
      return { username: event.to }
    case "UserEmailChanged":
      return { email: event.to }
    case "AdministratorGranted":
      return { admin: true }
    case "AdministratorRevoked":
      return { admin: false }
    case "UserBlocked":
      return { state: "blocked" }
    case "UserDeactivated":
      return { state: "deactivated" }
    case "UserBanned":
      return { state: "banned" }
    case "UserUnblocked":
    case "UserActivated":
    case "UserUnbanned":
      return { state: "active" }
    case "UserPasswordChanged":
      return {}
    default:
      return undefined
  }
}

const project = (event: UserEvent, { stream, at }: RecordedEvent): ReadonlyArray<Change> => {
  const id = userIdOf(stream)
  if (id === undefined) return []
  if (event._tag === "UserCreated") return [put("users", created(event, id, at)), idTaken("user", id)]
  if (event._tag === "UserDeleted") return [remove("users", { id })]
  // Activity is no change of the user.
  if (event._tag === "UserWasActive") return [patch("users", { id }, { last_activity_on: event.day })]
  if (event._tag === "NamespaceGiven") return [patch("users", { id }, { namespace_id: event.namespaceId })]
  const changed = columns(event)
  return changed === undefined ? [] : [patch("users", { id }, { ...changed, updated_at: at })]
}

/** Users who exist. Passwords are not in it. */
export const usersReadModel: ReadModel = {
  name: "users",
  version: 3,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { users: ["id"] },
  projections: [on(userCodec, project)]
}
