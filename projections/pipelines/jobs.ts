import type { JobFilter, StatusFilter } from "#src/pipelines/Queries.ts"
import { all, type Fragment, raw, slice, sql } from "#src/platform/sql/fragment.ts"
import { firstFound } from "../firstFound.ts"
import type { Listing, Slice } from "../selectListed.ts"
import { hasStatus, pipelineObject, userReference } from "./columns.ts"

const name = raw("rm_pipelines.jobs")
const alias = raw("j")
const table = sql`${name} ${alias}`
const descending = raw("desc")

/** Selects jobs of the table, or of what stands in its place, as rows. */
export const jobRows = (from: Fragment): Fragment => sql`
  select j.id, j.pipeline_id, j.project_id, j.sha, j.ref, j.is_tag, j.name, j.stage, j.status, j.is_replaced, j.coverage,
    j.allow_failure, j.failure_reason, j.tags, j.executor, j.created_at, j.queued_at, j.started_at, j.finished_at, j.created_by,
    ${raw(pipelineObject("p"))} as pipeline
  from ${from} join rm_pipelines.pipelines p on p.id = j.pipeline_id`

const ofProject = ({ projectId }: JobFilter): Fragment => sql`j.project_id = ${projectId} and not j.is_external`

const conditions = (filter: JobFilter): Fragment =>
  all(
    ofProject(filter),
    filter.pipelineId !== undefined && sql`j.pipeline_id = ${filter.pipelineId}`,
    filter.statuses !== undefined && hasStatus(raw("j"), filter.statuses),
    !filter.withReplaced && raw("not j.is_replaced")
  )

/** Whether an index has what fits in the order of ids; a pipeline has few jobs. */
const isIndexed = ({ pipelineId, statuses = [], withReplaced }: JobFilter): boolean =>
  pipelineId !== undefined || (withReplaced && statuses.length < 2)

const idsOf = (filter: JobFilter, page: Slice): Fragment =>
  isIndexed(filter)
    ? sql`select j.id from ${table} where ${conditions(filter)} order by j.id desc ${slice(page)}`
    : firstFound(
        {
          ordered: (limit) => sql`select j.* from ${table} where ${ofProject(filter)} order by j.id desc ${limit}`,
          found: conditions(filter),
          table: name,
          alias,
          key: raw("j.id"),
          direction: descending
        },
        page
      )

/** The statements of a list of jobs. */
export const jobListing = (filter: JobFilter): Listing => ({
  rows: (page) => sql`${jobRows(sql`(${idsOf(filter, page)}) listed join ${table} on j.id = listed.id`)} order by j.id desc`,
  counted: sql`select from ${table} where ${conditions(filter)}`
})

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
