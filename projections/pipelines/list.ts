import type { Slice } from "#src/http/answer/pagination.ts"
import type { Status } from "#src/pipelines/Pipelines.ts"
import type { PipelineFilter } from "#src/pipelines/Queries.ts"
import { all, type Fragment, none, raw, slice, sql } from "#src/platform/sql/fragment.ts"
import { first, firstFound } from "../firstFound.ts"
import type { Listing } from "../selectListed.ts"
import { hasStatus, pipelineColumns } from "./columns.ts"

const name = raw("rm_pipelines.pipelines")
const alias = raw("p")
const table = sql`${name} ${alias}`

/** The statuses that a scope stands for. */
const scopes: Readonly<Record<NonNullable<PipelineFilter["scope"]>, ReadonlyArray<Status> | undefined>> = {
  running: ["running"],
  pending: ["pending"],
  finished: ["success", "failed", "canceled"],
  branches: undefined,
  tags: undefined
}

/** The statuses of which those are that the scope and the status want; undefined for any. */
const statusesOf = ({ scope, status }: PipelineFilter): ReadonlyArray<Status> | undefined => {
  const ofScope = scope && scopes[scope]
  if (status === undefined) return ofScope
  return ofScope === undefined || ofScope.includes(status) ? [status] : []
}

/** Those of a schedule are of its project. */
const isPlace = ({ projectId, scheduleId }: PipelineFilter): Fragment =>
  scheduleId === undefined ? sql`p.project_id = ${projectId}` : sql`p.schedule_id = ${scheduleId}`

const userNamed = (username: string): Fragment =>
  sql`(select u.id from rm_users.users u where lower(u.username) = ${username.toLowerCase()} limit 1)`

/** The conditions but for the scopes `branches` and `tags`. */
const conditions = (filter: PipelineFilter): Fragment => {
  const statuses = statusesOf(filter)
  return all(
    isPlace(filter),
    statuses !== undefined && hasStatus(alias, statuses),
    filter.source !== undefined && sql`p.source = ${filter.source}`,
    // Both are said, because refs are indexed beside whether they are tags.
    filter.ref !== undefined && sql`p.ref = ${filter.ref} and p.is_tag in (false, true)`,
    filter.sha !== undefined && sql`p.sha = ${filter.sha}`,
    filter.name !== undefined && sql`p.name = ${filter.name}`,
    filter.username !== undefined && sql`p.created_by = ${userNamed(filter.username)}`,
    filter.yamlErrors === true && raw("p.yaml_errors is not null"),
    filter.yamlErrors === false && raw("p.yaml_errors is null"),
    filter.updatedAfter !== undefined && sql`p.updated_at >= ${filter.updatedAfter}`,
    filter.updatedBefore !== undefined && sql`p.updated_at <= ${filter.updatedBefore}`,
    filter.createdAfter !== undefined && sql`p.created_at >= ${filter.createdAfter}`,
    filter.createdBefore !== undefined && sql`p.created_at <= ${filter.createdBefore}`
  )
}

/**
 * The newest pipeline of each branch, or of each tag, as the common table `newest`: from ref to ref by an index, whatever the number of
 * their pipelines. In the list of a schedule they are the newest of its own.
 */
const newestOfEach = (filter: PipelineFilter, isTag: boolean): Fragment => {
  const last = (before: Fragment) => sql`
    select p.ref, p.id from ${table} where ${isPlace(filter)} and p.is_tag = ${isTag} and p.merge_request_id is null ${before}
    order by p.ref desc, p.id desc limit 1`
  return sql`
    with recursive newest(ref, id) as (
      (${last(none)})
      union all
      select next.ref, next.id from newest cross join lateral (${last(raw("and p.ref < newest.ref"))}) next
    )`
}

const keys: Readonly<Record<PipelineFilter["order"]["by"], Fragment>> = {
  id: raw("p.id"),
  status: raw("p.status"),
  ref: raw("p.ref"),
  updated_at: raw("p.updated_at"),
  user_id: raw("p.created_by")
}

const directionOf = ({ descending }: PipelineFilter["order"]): Fragment => raw(descending ? "desc" : "asc")

const orderOf = (order: PipelineFilter["order"]): Fragment => {
  const direction = directionOf(order)
  return order.by === "id" ? sql`p.id ${direction}` : sql`${keys[order.by]} ${direction}, p.id ${direction}`
}

/** A condition on a column that an index has before the ids. */
interface Key {
  readonly column: Fragment
  readonly condition: Fragment
}

const textKey = (name: string, value: string): Key => {
  const column = raw(`p.${name}`)
  return { column, condition: sql`${column} = any(${[value]}::text[])` }
}

const idKey = (name: string, value: Fragment | number): Key => {
  const column = raw(`p.${name}`)
  return { column, condition: sql`${column} = any(array[${value}]::bigint[])` }
}

const placeKey = ({ projectId, scheduleId }: PipelineFilter): Key =>
  scheduleId === undefined ? idKey("project_id", projectId) : idKey("schedule_id", scheduleId)

/**
 * The newest pipelines that have a key, or the oldest ones. The planner would take a single value for a constant, in whose order there is
 * nothing to put, and might then go through the ids of all projects until it has enough: where few fit, through all. Of a list of values
 * it knows only that the index of the column gives them in this order.
 */
const inOrderOfIds = (filter: PipelineFilter, { column, condition }: Key, more: Fragment, limit: Fragment): Fragment => {
  const direction = directionOf(filter.order)
  return sql`where ${condition} ${more} order by ${column} ${direction}, p.id ${direction} ${limit}`
}

/**
 * The first pipelines of the project, or of the schedule, whatever they are. What is asked of the commit makes the planner read rows, in
 * order: otherwise it would rather sort all entries of an index that has no order of use, but all columns.
 */
const ordered = (filter: PipelineFilter, limit: Fragment): Fragment => {
  const { order } = filter
  const hasCommit = raw("and p.sha <> ''")
  if (order.by === "id") return sql`select p.* from ${table} ${inOrderOfIds(filter, placeKey(filter), hasCommit, limit)}`
  const among = (more: Fragment) => sql`
    select p.* from ${table} where ${isPlace(filter)} ${hasCommit} ${more} order by ${orderOf(order)} ${limit}`
  if (order.by !== "ref") return among(none)
  return sql`
    select p.* from ((${among(raw("and p.is_tag = false"))}) union all (${among(raw("and p.is_tag = true"))})) p
    order by ${orderOf(order)} ${limit}`
}

/** The key of a filter of one condition, which has an index behind the project; undefined for what has none. */
const keyOf = (filter: PipelineFilter): Key | undefined => {
  const { name, sha, source, username } = filter
  const [status, ...more] = statusesOf(filter) ?? []
  if (status !== undefined && more.length === 0) return textKey("status", status)
  if (source !== undefined) return textKey("source", source)
  if (sha !== undefined) return textKey("sha", sha)
  if (name !== undefined) return textKey("name", name)
  return username === undefined ? undefined : idKey("created_by", userNamed(username))
}

/**
 * The end of a statement, from `where` on, for what is listed under one condition, or none, where an index has it in the order of ids;
 * undefined elsewhere.
 */
const indexed = (filter: PipelineFilter, limit: Fragment): Fragment | undefined => {
  const { order, projectId, ...conditions } = filter
  const [condition, ...others] = Object.keys(conditions)
  if (others.length > 0) return undefined
  const found = (key: Key, more: Fragment) => inOrderOfIds(filter, key, more, limit)
  if (condition === undefined || condition === "scheduleId") return found(placeKey(filter), none)
  if (filter.yamlErrors === true) return found(placeKey(filter), raw("and p.yaml_errors is not null"))
  const key = keyOf(filter)
  return key && found(key, sql`and ${isPlace(filter)}`)
}

/** The newest of each ref that fit, as `p`: whose rows are looked at only where that is needed. */
const newestFound = (filter: PipelineFilter, columns: Fragment): Fragment | undefined => {
  const { order, projectId, scheduleId, scope, ...others } = filter
  if (scope !== "branches" && scope !== "tags") return
  const newest = newestOfEach(filter, scope === "tags")
  return order.by === "id" && Object.keys(others).length === 0
    ? sql`${newest} select ${columns} from newest p`
    : sql`${newest} select ${columns} from newest join ${table} on p.id = newest.id where ${conditions(filter)}`
}

const hasNoFilter = ({ order, projectId, ...conditions }: PipelineFilter): boolean => Object.keys(conditions).length === 0

const idsOf = (filter: PipelineFilter, page: Slice): Fragment => {
  const { order } = filter
  const newest = newestFound(filter, raw("p.id"))
  if (newest !== undefined) return sql`${newest} order by ${orderOf(order)} ${slice(page)}`
  const found = order.by === "id" ? indexed(filter, slice(page)) : undefined
  if (found !== undefined) return sql`select p.id from ${table} ${found}`
  if (hasNoFilter(filter))
    return sql`select p.id from (${ordered(filter, first(page))}) p order by ${orderOf(order)} ${slice(page)}`
  return firstFound(
    {
      ordered: (limit) => ordered(filter, limit),
      found: conditions(filter),
      table: name,
      alias,
      key: keys[order.by],
      order: sql`key ${directionOf(order)}, id ${directionOf(order)}`,
      columns: raw("p.id")
    },
    page
  )
}

/** The statements of a list of pipelines. */
export const pipelineListing = (filter: PipelineFilter): Listing => ({
  rows: (page) => sql`
    select ${raw(pipelineColumns("p"))} from (${idsOf(filter, page)}) listed join ${table} on p.id = listed.id
    order by ${orderOf(filter.order)}`,
  counted: newestFound(filter, none) ?? sql`select from ${table} ${indexed(filter, none) ?? sql`where ${conditions(filter)}`}`
})
