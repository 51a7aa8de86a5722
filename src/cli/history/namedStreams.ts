import { Effect } from "effect"
import { clusterStream } from "../../clusters/ids.ts"
import { Groups } from "../../groups/Groups.ts"
import { groupIdOf, groupStream } from "../../groups/ids.ts"
import { importStream } from "../../imports/ids.ts"
import { deployKeyStream, userKeyStream } from "../../keys/ids.ts"
import { query, Sql } from "../../platform/sql/Sql.ts"
import { projectIdOf, projectStream } from "../../projects/ids.ts"
import { Projects } from "../../projects/Projects.ts"
import { repositoryStream } from "../../pushes/ids.ts"
import { userIdOf, userStream } from "../../users/ids.ts"
import { Users } from "../../users/Users.ts"
import { ownersOfPath } from "./formerPaths.ts"

type Ids = ReadonlyArray<number>
const idsOf = (found: { readonly id: number } | undefined): Ids => (found === undefined ? [] : [found.id])

/** What is called so, or else what was, by the log. */
const orFormer = Effect.fnUntraced(function* (ids: Ids, path: string, idOf: (stream: string) => number | undefined) {
  return ids.length > 0 ? ids : (yield* ownersOfPath(path)).flatMap((stream) => idOf(stream) ?? [])
})

const userIds = Effect.fnUntraced(function* (name: string) {
  const found = yield* Users.use((users) => users.findByIdOrUsername(name))
  return yield* orFormer(idsOf(found), name, userIdOf)
})

/** A path is one group's alone; a name may be that of several. */
const groupIds = Effect.fnUntraced(function* (pathOrName: string) {
  const found = yield* Groups.use((groups) => groups.find(pathOrName, undefined))
  if (found?.namespace.kind === "group") return [found.namespace.id]
  const { client } = yield* Sql
  const rows = yield* query(
    () => client<Array<{ id: number }>>`
      select id from rm_namespaces.namespaces where kind = 'group' and name = ${pathOrName} order by id`
  )
  return yield* orFormer(
    rows.map(({ id }) => id),
    pathOrName,
    groupIdOf
  )
})

/** The id of the project that has a path, or of those that had it. */
export const projectIdsAt = Effect.fnUntraced(function* (path: string) {
  const found = yield* Projects.use((projects) => projects.find(path, undefined))
  return yield* orFormer(idsOf(found?.project), path, projectIdOf)
})

const projectIds = Effect.fnUntraced(function* (pathOrName: string) {
  const ofPath = yield* projectIdsAt(pathOrName)
  if (ofPath.length > 0) return ofPath
  const { client } = yield* Sql
  const rows = yield* query(
    () => client<Array<{ id: number }>>`select id from rm_projects.projects where name = ${pathOrName} order by id`
  )
  return rows.map(({ id }) => id)
})

const clusterIds = Effect.fnUntraced(function* (name: string) {
  const { client } = yield* Sql
  const rows = yield* query(
    () => client<Array<{ id: number }>>`select id from rm_clusters.clusters where name = ${name} order by id`
  )
  return rows.map(({ id }) => id)
})

/** The streams of the keys with this title, or this fingerprint in either of its forms. */
const keyStreams = Effect.fnUntraced(function* (name: string) {
  const { client } = yield* Sql
  const digest = name.replace(/^sha256:/i, "")
  const rows = yield* query(
    () => client<Array<{ id: number; kind: string }>>`
      select id, kind from rm_keys.keys where title = ${name} or fingerprint = ${name} or fingerprint_sha256 = ${digest} order by id`
  )
  return rows.map(({ id, kind }) => (kind === "deploy" ? deployKeyStream(id) : userKeyStream(id)))
})

/** What has a name besides its id, by the word for it: the streams that a name stands for. */
const byKind = {
  user: (name: string) => Effect.map(userIds(name), (ids) => ids.map(userStream)),
  group: (path: string) => Effect.map(groupIds(path), (ids) => ids.map(groupStream)),
  project: (path: string) => Effect.map(projectIds(path), (ids) => ids.map(projectStream)),
  repository: (path: string) => Effect.map(projectIds(path), (ids) => ids.map(repositoryStream)),
  import: (path: string) => Effect.map(projectIds(path), (ids) => ids.map(importStream)),
  cluster: (name: string) => Effect.map(clusterIds(name), (ids) => ids.map(clusterStream)),
  key: keyStreams
}

/** What can be found by name. */
export type NamedKind = keyof typeof byKind

export const isNamedKind = (kind: string): kind is NamedKind => Object.hasOwn(byKind, kind)

/** The streams of what is called so today; users, groups and projects also under former paths, and where they are deleted. */
export const streamsNamed = (kind: NamedKind, name: string) => byKind[kind](name)
