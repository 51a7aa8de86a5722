import { readFileSync } from "node:fs"
import type { memberCases } from "#src/members/events.ts"
import type { RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { type Grant, type ProjectEvent, type Protection, projectCodec } from "#src/projects/events.ts"
import { projectIdOf } from "#src/projects/ids.ts"
import { rowOfSettings } from "#src/projects/settingNames.ts"
import { userCodec } from "#src/users/events.ts"
import { userIdOf } from "#src/users/ids.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, type Row, remove, removeWhere } from "../ReadModel.ts"

const [projects, members, redirects, refs] = ["projects", "project_members", "redirects", "protected_refs"]

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
    forked_from_id: event.forkedFrom,
    created_at: at,
    updated_at: at,
    last_activity_at: at,
    ...rowOfSettings(event.settings)
  }),
  remove(redirects, { namespace_id: event.namespaceId, path: event.path.toLowerCase() })
]

const renamed = ({ from, namespaceId, to }: Case<"ProjectRenamed">, id: number, at: number): ReadonlyArray<Change> => [
  patch(projects, { id }, { path: to, updated_at: at }),
  put(redirects, { namespace_id: namespaceId, path: from.toLowerCase(), project_id: id }),
  remove(redirects, { namespace_id: namespaceId, path: to.toLowerCase() })
]

const deleted = (id: number): ReadonlyArray<Change> => [
  remove(projects, { id }),
  removeWhere(members, { project_id: id }),
  removeWhere(redirects, { project_id: id }),
  removeWhere(refs, { project_id: id })
]

const grants = (given: ReadonlyArray<Grant>) => given.map(({ accessLevel, id }) => ({ id, access_level: accessLevel }))

const protectedRef = (protection: Protection, projectId: number): ReadonlyArray<Change> => [
  idTaken("protected_ref", protection.id),
  ...[...protection.push, ...protection.merge].map((grant) => idTaken("protected_ref_access", grant.id)),
  put(refs, {
    id: protection.id,
    project_id: projectId,
    kind: protection.kind,
    name: protection.name,
    allow_force_push: protection.allowForcePush,
    push_access_levels: grants(protection.push),
    merge_access_levels: grants(protection.merge)
  })
]

const member = (event: Case<keyof typeof memberCases>, projectId: number, at: number): ReadonlyArray<Change> => {
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
      return change(rowOfSettings(event.changes))
    case "ProjectRenamed":
      return renamed(event, id, at)
    case "DefaultBranchChanged":
      return change({ default_branch: event.branch })
    case "RepositoryFilled":
      return change({ default_branch: event.defaultBranch, empty_repo: false, last_activity_at: at })
    case "ProjectWasActive":
      return [patch(projects, { id }, { last_activity_at: event.at })]
    case "RefProtected":
    case "RefProtectionChanged":
      return protectedRef(event.protection, id)
    case "RefUnprotected":
      return [remove(refs, { id: event.id })]
    case "ProjectArchived":
      return change({ archived: true })
    case "ProjectUnarchived":
      return change({ archived: false })
    case "ProjectDeleted":
      return deleted(id)
    default:
      return member(event, id, at)
  }
}

const ofProject = (event: ProjectEvent, { at, stream }: RecordedEvent): ReadonlyArray<Change> => {
  const id = projectIdOf(stream)
  return id === undefined ? [] : changes(event, id, at)
}

/** Projects that were not deleted, with their own members. Those of a namespace that is gone are left in the tables. */
export const projectsReadModel: ReadModel = {
  name: "projects",
  version: 1,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [projects]: ["id"], [members]: ["project_id", "user_id"], [redirects]: ["namespace_id", "path"], [refs]: ["id"] },
  projections: [
    on(projectCodec, ofProject),
    on(userCodec, (event, { stream }) => {
      const id = userIdOf(stream)
      return id === undefined || event._tag !== "UserDeleted" ? [] : [removeWhere(members, { user_id: id })]
    })
  ]
}
