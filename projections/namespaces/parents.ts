import { groupCodec } from "#src/groups/events.ts"
import { groupIdOf } from "#src/groups/ids.ts"
import type { Parent } from "#src/parents/Parent.ts"
import { any, type Fragment, raw, sql } from "#src/platform/sql/fragment.ts"
import { projectCodec } from "#src/projects/events.ts"
import { projectIdOf } from "#src/projects/ids.ts"
import { on, type Projection, removeWhere } from "../ReadModel.ts"
import { withAncestors } from "./expressions.ts"

/** Rows of these tables go with the project or group that they belong to, by their `project_id` and `group_id`. */
export const goingWithParents = (tables: ReadonlyArray<string>): ReadonlyArray<Projection> => [
  on(projectCodec, ({ _tag }, { stream }) => {
    const id = _tag === "ProjectDeleted" ? projectIdOf(stream) : undefined
    return id === undefined ? [] : tables.map((table) => removeWhere(table, { project_id: id }))
  }),
  on(groupCodec, ({ _tag }, { stream }) => {
    const id = _tag === "GroupDeleted" ? groupIdOf(stream) : undefined
    return id === undefined ? [] : tables.map((table) => removeWhere(table, { group_id: id }))
  })
]

const namespaceOf = ({ id, kind }: Parent): Fragment =>
  kind === "group"
    ? sql`select ${id}::bigint as id`
    : sql`select p.namespace_id as id from rm_projects.projects p where p.id = ${id}`

/**
 * The groups in which a parent lies, a group among them, as an array, the nearest first. It is made once for a statement, so columns are
 * looked up by their indexes.
 */
const groupsAround = (parent: Parent): Fragment => sql`array(
  select up.id from (${namespaceOf(parent)}) start
  cross join lateral (${raw(`${withAncestors("start.id", ["id"])} select _up.id, _up.distance from _up`)}) up
  order by up.distance)`

/** The condition that a row of the table with this alias belongs to a parent, or to a group above it. */
export const belongsTo = (alias: string, parent: Parent, withGroupsAbove: boolean): Fragment => {
  const isOwn = sql`${raw(`${alias}.${parent.kind}_id`)} = ${parent.id}`
  return withGroupsAbove ? sql`(${any(isOwn, sql`${raw(`${alias}.group_id`)} = any(${groupsAround(parent)})`)})` : isOwn
}

/** What orders such rows by how near they are to the parent: its own ones first. */
export const ancestorDistance = (alias: string, parent: Parent): Fragment =>
  sql`coalesce(array_position(${groupsAround(parent)}, ${raw(`${alias}.group_id`)}), 0)`
