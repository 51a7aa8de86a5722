import type { Status } from "#src/pipelines/Pipelines.ts"
import type { PipelineFilter } from "#src/pipelines/Queries.ts"
import { all, type Fragment, none, raw, slice, sql } from "#src/platform/sql/fragment.ts"
import { first, firstFound } from "../firstFound.ts"
import type { Listing, Slice } from "../selectListed.ts"
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
    filter.username !== undefined &&
      sql`p.created_by = (select u.id from rm_users.users u where lower(u.username) = ${filter.username.toLowerCase()} limit 1)`,
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
 * their pipelines.
 */
const newestOfEach = (projectId: number, isTag: boolean): Fragment => {
  const last = (before: Fragment) => sql`
    select p.ref, p.id from ${table} where p.project_id = ${projectId} and p.is_tag = ${isTag} ${before}
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

/**
 * The first pipelines of the project, or of the schedule, whatever they are. What is asked of the commit makes the planner read rows, in
 * order: otherwise it would rather sort all entries of an index that has no order of use, but all columns.
 */
const ordered = (filter: PipelineFilter, limit: Fragment): Fragment => {
  const { order } = filter
  const among = (more: Fragment) => sql`
    select p.* from ${table} where ${isPlace(filter)} and p.sha <> '' ${more} order by ${orderOf(order)} ${limit}`
  if (order.by !== "ref") return among(none)
  return sql`
    select p.* from ((${among(raw("and p.is_tag = false"))}) union all (${among(raw("and p.is_tag = true"))})) p
    order by ${orderOf(order)} ${limit}`
}

/** The filters whose column an index has before ids. */
const indexed: ReadonlySet<string> = new Set<keyof PipelineFilter>([
  ...(["scope", "status", "source", "sha", "name", "username", "yamlErrors", "scheduleId"] as const)
])

const isSingle = (statuses: ReadonlyArray<Status> | undefined): boolean => statuses === undefined || statuses.length === 1

/** Whether an index has what fits in the order of the list: all in any order, or one value of a column in the order of ids. */
const isIndexed = (filter: PipelineFilter): boolean => {
  const { order, projectId, ...conditions } = filter
  const names = Object.keys(conditions)
  if (names.length === 0) return true
  return names.length === 1 && order.by === "id" && isSingle(statusesOf(filter)) && names.every((name) => indexed.has(name))
}

/** The newest of each ref that fit, as `p`: whose rows are looked at only where that is needed. */
const newestFound = (filter: PipelineFilter, columns: Fragment): Fragment | undefined => {
  const { order, projectId, scope, ...others } = filter
  if (scope !== "branches" && scope !== "tags") return
  const newest = newestOfEach(projectId, scope === "tags")
  return order.by === "id" && Object.keys(others).length === 0
    ? sql`${newest} select ${columns} from newest p`
    : sql`${newest} select ${columns} from newest join ${table} on p.id = newest.id where ${conditions(filter)}`
}

const idsOf = (filter: PipelineFilter, page: Slice): Fragment => {
  const { order } = filter
  const newest = newestFound(filter, raw("p.id"))
  if (newest !== undefined) return sql`${newest} order by ${orderOf(order)} ${slice(page)}`
  if (isIndexed(filter)) {
    const from = order.by === "ref" ? sql`(${ordered(filter, first(page))}) p` : sql`${table} where ${conditions(filter)}`
    return sql`select p.id from ${from} order by ${orderOf(order)} ${slice(page)}`
  }
  return firstFound(
    {
      ordered: (limit) => ordered(filter, limit),
      found: conditions(filter),
      table: name,
      alias,
      key: keys[order.by],
      direction: directionOf(order)
    },
    page
  )
}

/** The statements of a list of pipelines. */
export const pipelineListing = (filter: PipelineFilter): Listing => ({
  rows: (page) => sql`
    select ${raw(pipelineColumns("p"))} from (${idsOf(filter, page)}) listed join ${table} on p.id = listed.id
    order by ${orderOf(filter.order)}`,
  counted: newestFound(filter, none) ?? sql`select from ${table} where ${conditions(filter)}`
})
