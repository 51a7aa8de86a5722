import type { Status } from "#src/pipelines/Pipelines.ts"
import type { JobFilter, JobKeyset, StatusFilter } from "#src/pipelines/Queries.ts"
import { all, type Fragment, raw, slice, sql, union } from "#src/platform/sql/fragment.ts"
import { first } from "../firstFound.ts"
import { type Listing, maxCounted } from "../selectListed.ts"
import { hasStatus, pipelineObject, userReference } from "./columns.ts"

const table = raw("rm_pipelines.jobs j")

/** Selects jobs of the table, or of what stands in its place, as rows. */
export const jobRows = (from: Fragment): Fragment => sql`
  select j.id, j.pipeline_id, j.project_id, j.sha, j.ref, j.is_tag, j.name, j.stage, j.status, j.is_replaced, j.coverage,
    j.allow_failure, j.failure_reason, j.tags, j.executor, j.created_at, j.queued_at, j.started_at, j.finished_at, j.created_by,
    ${raw(pipelineObject("p"))} as pipeline
  from ${from} join rm_pipelines.pipelines p on p.id = j.pipeline_id`

/** A filter of one status at most, or of a pipeline, which has few jobs. */
type Part = JobFilter & { readonly status?: Status }

/** A status that is asked for twice is one part. */
const partsOf = (filter: JobFilter): ReadonlyArray<Part> => {
  const { pipelineId, statuses = [] } = filter
  if (pipelineId !== undefined || statuses.length === 0) return [filter]
  return [...new Set(statuses)].map((status) => ({ ...filter, status }))
}

/** The column that an index has before the ids, and what is said of it: see `inOrderOfIds` of pipelines. */
const keyOf = ({ pipelineId, projectId, status }: Part): readonly [column: Fragment, isKey: Fragment] => {
  if (pipelineId !== undefined) return [raw("j.pipeline_id"), sql`j.pipeline_id = any(array[${pipelineId}]::bigint[])`]
  if (status !== undefined) return [raw("j.status"), sql`j.project_id = ${projectId} and j.status = any(${[status]}::text[])`]
  return [raw("j.project_id"), sql`j.project_id = any(array[${projectId}]::bigint[])`]
}

/** What is asked beside the key. */
const conditions = ({ pipelineId, projectId, statuses, withReplaced }: JobFilter): Fragment =>
  all(
    raw("not j.is_external"),
    pipelineId !== undefined && sql`j.project_id = ${projectId}`,
    pipelineId !== undefined && statuses !== undefined && hasStatus(raw("j"), statuses),
    !withReplaced && raw("not j.is_replaced")
  )

/** In which direction of their ids jobs are taken, from which one on, and how many. */
interface Range {
  readonly direction: Fragment
  readonly behind?: Fragment | false
  readonly limit: Fragment
}

/** So many of the first jobs of each part: among them are the first of all. */
const firstOfParts = (filter: JobFilter, { behind = false, direction, limit }: Range): Fragment =>
  union(
    partsOf(filter).map((part) => {
      const [column, isKey] = keyOf(part)
      return sql`(select j.id from ${table} where ${all(isKey, conditions(part), behind)}
        order by ${column} ${direction}, j.id ${direction} ${limit})`
    })
  )

const newest = (filter: JobFilter, limit: Fragment): Fragment => firstOfParts(filter, { direction: raw("desc"), limit })

/** The statements of a list of jobs. */
export const jobListing = (filter: JobFilter): Listing => ({
  rows: (page) => sql`${jobRows(sql`
    (select id from (${newest(filter, first(page))}) newest order by id desc ${slice(page)}) listed join ${table} on j.id = listed.id`)}
    order by j.id desc`,
  counted: sql`select from (${newest(filter, slice({ limit: maxCounted, offset: 0 }))}) newest`
})

/** The statement of a page of jobs from a key on. */
export const jobsAfter = (filter: JobFilter, { after, descending: isDescending, limit: count }: JobKeyset): Fragment => {
  const direction = raw(isDescending ? "desc" : "asc")
  const limit = slice({ limit: count, offset: 0 })
  const behind = after !== undefined && sql`j.id ${raw(isDescending ? "<" : ">")} ${after}`
  return sql`${jobRows(sql`
    (select id from (${firstOfParts(filter, { direction, behind, limit })}) found order by id ${direction} ${limit}) listed
      join ${table} on j.id = listed.id`)}
    order by j.id ${direction}`
}

export const statusColumns = `s.id, s.pipeline_id, s.sha, s.ref, s.status, s.name, s.target_url, s.description, s.created_at, s.started_at,
  s.finished_at, s.allow_failure, s.coverage, ${userReference("u")} as author`

export const statusTables = "rm_pipelines.jobs s left join rm_users.users u on u.id = s.created_by"

const whereStatus = (filter: StatusFilter): Fragment =>
  all(
    sql`s.project_id = ${filter.projectId} and s.sha = ${filter.sha}`,
    filter.ref !== undefined && sql`s.ref = ${filter.ref}`,
    filter.stage !== undefined && sql`s.stage = ${filter.stage}`,
    filter.name !== undefined && sql`s.name = ${filter.name}`,
    filter.pipelineId !== undefined && sql`s.pipeline_id = ${filter.pipelineId}`,
    !filter.withReplaced && raw("not s.is_replaced")
  )

/** Within a pipeline the order is always by id. */
const statusOrder = ({ by, descending: isDescending }: StatusFilter["order"]): Fragment => {
  const direction = isDescending ? "desc" : "asc"
  return raw(by === "id" ? `s.id ${direction}` : `s.pipeline_id ${direction}, s.id`)
}

/** The statements of a list of statuses of a commit. */
export const statusListing = (filter: StatusFilter): Listing => ({
  rows: (page) => sql`select ${raw(statusColumns)} from ${raw(statusTables)} where ${whereStatus(filter)}
    order by ${statusOrder(filter.order)} ${slice(page)}`,
  counted: sql`select from rm_pipelines.jobs s where ${whereStatus(filter)}`
})
