import { readFileSync } from "node:fs"
import { groupCodec } from "#src/groups/events.ts"
import { groupIdOf } from "#src/groups/ids.ts"
import { snakeCased } from "#src/kernel/letterCase.ts"
import type { memberCases } from "#src/members/events.ts"
import type { RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { type Grant, type ProjectEvent, type Protection, projectCodec } from "#src/projects/events.ts"
import { projectIdOf } from "#src/projects/ids.ts"
import { type StarEvent, starCodec } from "#src/projects/stars/events.ts"
import { pushCodec } from "#src/pushes/events.ts"
import { repositoryIdOf } from "#src/pushes/ids.ts"
import { commitCommentCodec } from "#src/repositories/comments/events.ts"
import { commentedCommit } from "#src/repositories/ids.ts"
import { type UserEvent, userCodec } from "#src/users/events.ts"
import { userIdOf } from "#src/users/ids.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, type Row, remove, removeWhere } from "../ReadModel.ts"

const [projects, members, redirects, refs, stars] = ["projects", "project_members", "redirects", "protected_refs", "stars"]
const shares = "project_shares"
const inactive = "inactive_users"

type Case<Tag extends ProjectEvent["_tag"]> = Extract<ProjectEvent, { readonly _tag: Tag }>

const created = (event: Case<"ProjectCreated">, id: number, at: number): ReadonlyArray<Change> => [
  idTaken("project", id),
  put(projects, {
    id,
    namespace_id: event.namespaceId,
    creator_id: event.creatorId,
    path: event.path,
    archived: false,
    default_branch: event.defaultBranch,
    empty_repo: true,
    readme: null,
    forked_from_id: event.forkedFrom,
    created_at: at,
    updated_at: at,
    last_activity_at: at,
    ...snakeCased(event.settings)
  }),
  remove(redirects, { namespace_id: event.namespaceId, path: event.path.toLowerCase() })
]

const renamed = ({ from, namespaceId, to }: Case<"ProjectRenamed">, id: number, at: number): ReadonlyArray<Change> => [
  patch(projects, { id }, { path: to, updated_at: at }),
  put(redirects, { namespace_id: namespaceId, path: from.toLowerCase(), project_id: id }),
  remove(redirects, { namespace_id: namespaceId, path: to.toLowerCase() })
]

const transferred = ({ from, path, to }: Case<"ProjectTransferred">, id: number, at: number): ReadonlyArray<Change> => [
  patch(projects, { id }, { namespace_id: to, updated_at: at }),
  put(redirects, { namespace_id: from, path: path.toLowerCase(), project_id: id }),
  remove(redirects, { namespace_id: to, path: path.toLowerCase() })
]

const deleted = (id: number): ReadonlyArray<Change> => [
  remove(projects, { id }),
  removeWhere(members, { project_id: id }),
  removeWhere(shares, { project_id: id }),
  removeWhere(redirects, { project_id: id }),
  removeWhere(refs, { project_id: id }),
  removeWhere(stars, { project_id: id })
]

const grants = (granted: ReadonlyArray<Grant>) => granted.map(({ accessLevel, id }) => ({ id, access_level: accessLevel }))

const protectedRef = (protection: Protection, projectId: number, at: number): ReadonlyArray<Change> => [
  idTaken("protected_ref", protection.id),
  ...[...protection.push, ...protection.merge].map((grant) => idTaken("protected_ref_access", grant.id)),
  put(refs, {
    id: protection.id,
    project_id: projectId,
    kind: protection.kind,
    name: protection.name,
    allow_force_push: protection.allowForcePush,
    push_access_levels: grants(protection.push),
    merge_access_levels: grants(protection.merge),
    updated_at: at
  })
]

const shared = (event: Case<"SharedWithGroup">, projectId: number, at: number): ReadonlyArray<Change> => {
  const { accessLevel, expiresAt, groupId, id } = event
  const key = { project_id: projectId, invited_group_id: groupId }
  return [
    idTaken("group_share", id),
    put(shares, { ...key, id, access_level: accessLevel, expires_at: expiresAt, created_at: at })
  ]
}

const member = (
  event: Case<Exclude<keyof typeof memberCases, "SharedWithGroup" | "SharingEnded">>,
  projectId: number,
  at: number
): ReadonlyArray<Change> => {
  const key = { project_id: projectId, user_id: event.userId }
  if (event._tag === "MemberRemoved") return [remove(members, key)]
  const columns: Row = { access_level: event.accessLevel, expires_at: event.expiresAt, updated_at: at }
  if (event._tag === "MemberChanged") return [patch(members, key, columns)]
  return [put(members, { ...key, ...columns, created_at: at, created_by: event.addedBy })]
}

const changes = (event: ProjectEvent, id: number, at: number): ReadonlyArray<Change> => {
  const change = (columns: Row) => [patch(projects, { id }, { ...columns, updated_at: at })]
  switch (event._tag) {
    case "ProjectCreated":
      return created(event, id, at)
    case "ProjectSettingsChanged":
      return change(snakeCased(event.changes))
    case "ProjectRenamed":
      return renamed(event, id, at)
    case "ProjectTransferred":
      return transferred(event, id, at)
    case "DefaultBranchChanged":
      return change({ default_branch: event.branch })
    case "RepositoryFilled":
      return change({ default_branch: event.defaultBranch, empty_repo: false, last_activity_at: at })
    case "ReadmeChanged":
      return [patch(projects, { id }, { readme: event.readme })]
    case "RefProtected":
    case "RefProtectionChanged":
      return protectedRef(event.protection, id, at)
    case "RefUnprotected":
      return [remove(refs, { id: event.id })]
    case "ProjectArchived":
      return change({ archived: true })
    case "ProjectUnarchived":
      return change({ archived: false })
    case "ProjectDeleted":
      return deleted(id)
    case "SharedWithGroup":
      return shared(event, id, at)
    case "SharingEnded":
      return [remove(shares, { project_id: id, invited_group_id: event.groupId })]
    default:
      return member(event, id, at)
  }
}

const ofProject = (event: ProjectEvent, { at, stream }: RecordedEvent): ReadonlyArray<Change> => {
  const id = projectIdOf(stream)
  return id === undefined ? [] : changes(event, id, at)
}

const ofStar = (event: StarEvent, { at }: RecordedEvent): ReadonlyArray<Change> => {
  const key = { project_id: event.projectId, user_id: event.userId }
  return [event._tag === "ProjectStarred" ? put(stars, { ...key, starred_at: at }) : remove(stars, key)]
}

const ofUser = (event: UserEvent, id: number): ReadonlyArray<Change> => {
  switch (event._tag) {
    case "UserBlocked":
    case "UserDeactivated":
    case "UserBanned":
      return [put(inactive, { user_id: id })]
    case "UserUnblocked":
    case "UserActivated":
    case "UserUnbanned":
      return [remove(inactive, { user_id: id })]
    case "UserDeleted":
      return [removeWhere(members, { user_id: id }), removeWhere(stars, { user_id: id }), put(inactive, { user_id: id })]
    default:
      return []
  }
}

const active = (id: number | undefined, at: number): ReadonlyArray<Change> =>
  id === undefined ? [] : [patch(projects, { id }, { last_activity_at: at })]

/**
 * Projects that were not deleted, with their own members and stars. Those of a namespace that is gone are left in the tables, and
 * so is a star that was given while its project or user went away.
 */
export const projectsReadModel: ReadModel = {
  name: "projects",
  version: 6,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: {
    [projects]: ["id"],
    [members]: ["project_id", "user_id"],
    [shares]: ["project_id", "invited_group_id"],
    [redirects]: ["namespace_id", "path"],
    [refs]: ["id"],
    [stars]: ["project_id", "user_id"],
    [inactive]: ["user_id"],
    star_counts: ["project_id"]
  },
  projections: [
    on(projectCodec, ofProject),
    on(starCodec, ofStar),
    on(groupCodec, (event, { stream }) => {
      const id = groupIdOf(stream)
      return id === undefined || event._tag !== "GroupDeleted" ? [] : [removeWhere(shares, { invited_group_id: id })]
    }),
    on(pushCodec, (_, { at, stream }) => active(repositoryIdOf(stream), at)),
    on(commitCommentCodec, (_, { stream }, recordedAt) => active(commentedCommit(stream)?.projectId, recordedAt)),
    on(userCodec, (event, { stream }) => {
      const id = userIdOf(stream)
      return id === undefined ? [] : ofUser(event, id)
    })
  ]
}
