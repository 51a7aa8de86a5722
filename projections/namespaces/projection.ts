import { readFileSync } from "node:fs"
import { type Change, idTaken, on, patch, put, type ReadModel, type Row, remove, removeWhere } from "#projections/ReadModel.ts"
import { type AttributeChanges, type GroupEvent, groupCodec } from "#src/groups/events.ts"
import { groupIdOf } from "#src/groups/ids.ts"
import { defined } from "#src/kernel/defined.ts"
import { snakeCased } from "#src/kernel/letterCase.ts"
import type { RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { type UserEvent, userCodec } from "#src/users/events.ts"
import { userIdOf } from "#src/users/ids.ts"

const [namespaces, members, shares, redirects] = ["namespaces", "group_members", "group_shares", "redirects"]

const columns = ({ defaultBranchProtectionDefaults: defaults, ...rest }: AttributeChanges): Row => ({
  ...snakeCased(rest),
  ...defined({ default_branch_protection_defaults: defaults && { ...defaults } })
})

type Subject = { readonly kind: "group" | "user"; readonly subject_id: number }

/** The key of a former or present path. */
const place = (parentId: number | null, path: string): Row => ({ parent_id: parentId ?? 0, path: path.toLowerCase() })

/** A path that is taken leads no longer to who had it before. */
const taken = (parentId: number | null, path: string): Change => remove(redirects, place(parentId, path))

const renamed = (subject: Subject, parentId: number | null, from: string, to: string): ReadonlyArray<Change> => [
  ...(from.toLowerCase() === to.toLowerCase() ? [] : [put(redirects, { ...place(parentId, from), ...subject })]),
  taken(parentId, to)
]

const ended = (subject: Subject): ReadonlyArray<Change> => [remove(namespaces, subject), removeWhere(redirects, subject)]

const ofGroup = (event: GroupEvent, id: number, at: number): ReadonlyArray<Change> => {
  const subject: Subject = { kind: "group", subject_id: id }
  switch (event._tag) {
    case "GroupCreated": {
      const { path, parentId, attributes } = event
      const times = { created_at: at, updated_at: at }
      return [
        idTaken("namespace", id),
        put(namespaces, { ...subject, id, path, parent_id: parentId, owner_id: null, ...times, ...columns(attributes) }),
        taken(parentId, path)
      ]
    }
    case "GroupRenamed":
      return [
        patch(namespaces, subject, { path: event.to, updated_at: at }),
        ...renamed(subject, event.parentId, event.from, event.to)
      ]
    case "GroupTransferred":
      return [
        patch(namespaces, subject, { parent_id: event.to, updated_at: at }),
        put(redirects, { ...place(event.from, event.path), ...subject }),
        taken(event.to, event.path)
      ]
    case "GroupChanged":
      return [patch(namespaces, subject, { ...columns(event.changes), updated_at: at })]
    case "GroupDeleted":
      return [
        ...ended(subject),
        removeWhere(members, { group_id: id }),
        removeWhere(shares, { group_id: id }),
        removeWhere(shares, { invited_group_id: id }),
        removeWhere(redirects, { parent_id: id })
      ]
    case "MemberAdded": {
      const { userId, accessLevel, expiresAt, addedBy } = event
      const times = { expires_at: expiresAt, created_at: at, updated_at: at }
      return [put(members, { group_id: id, user_id: userId, access_level: accessLevel, ...times, created_by: addedBy })]
    }
    case "MemberChanged": {
      const { userId, accessLevel, expiresAt } = event
      const changed = { access_level: accessLevel, expires_at: expiresAt, updated_at: at }
      return [patch(members, { group_id: id, user_id: userId }, changed)]
    }
    case "MemberRemoved":
      return [remove(members, { group_id: id, user_id: event.userId })]
    case "SharedWithGroup": {
      const { accessLevel, expiresAt, groupId } = event
      const key = { group_id: id, invited_group_id: groupId }
      const row = { ...key, id: event.id, access_level: accessLevel, expires_at: expiresAt, created_at: at }
      return [idTaken("group_share", event.id), put(shares, row)]
    }
    case "SharingEnded":
      return [remove(shares, { group_id: id, invited_group_id: event.groupId })]
  }
}

const personal = (event: UserEvent & { readonly _tag: "UserCreated" }, subject: Subject, at: number): Row => ({
  ...subject,
  id: event.namespaceId ?? null,
  path: event.username,
  name: event.profile.name,
  parent_id: null,
  owner_id: subject.subject_id,
  visibility: "public",
  description: "",
  created_at: at,
  updated_at: at
})

const ofUser = (event: UserEvent, id: number, at: number): ReadonlyArray<Change> => {
  const subject: Subject = { kind: "user", subject_id: id }
  switch (event._tag) {
    case "UserCreated":
      return [
        ...(event.namespaceId === undefined ? [] : [idTaken("namespace", event.namespaceId)]),
        put(namespaces, personal(event, subject, at)),
        taken(null, event.username)
      ]
    case "NamespaceGiven":
      return [idTaken("namespace", event.namespaceId), patch(namespaces, subject, { id: event.namespaceId })]
    case "UserRenamed":
      return [patch(namespaces, subject, { path: event.to, updated_at: at }), ...renamed(subject, null, event.from, event.to)]
    case "UserProfileChanged":
      return event.changes.name === undefined ? [] : [patch(namespaces, subject, { name: event.changes.name, updated_at: at })]
    case "UserDeleted":
      return [...ended(subject), removeWhere(members, { user_id: id })]
    default:
      return []
  }
}

const project =
  <Event>(
    idOf: (stream: string) => number | undefined,
    changes: (event: Event, id: number, at: number) => ReadonlyArray<Change>
  ) =>
  (event: Event, { stream, at }: RecordedEvent): ReadonlyArray<Change> => {
    const id = idOf(stream)
    return id === undefined ? [] : changes(event, id, at)
  }

/** Groups with their members, and the personal namespaces of users. */
export const namespacesReadModel: ReadModel = {
  name: "namespaces",
  version: 4,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: {
    [namespaces]: ["kind", "subject_id"],
    [members]: ["group_id", "user_id"],
    [shares]: ["group_id", "invited_group_id"],
    [redirects]: ["parent_id", "path"]
  },
  projections: [on(groupCodec, project(groupIdOf, ofGroup)), on(userCodec, project(userIdOf, ofUser))]
}
