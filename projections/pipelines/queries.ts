import { Effect, Layer } from "effect"
import { openStatuses } from "#src/pipelines/Pipelines.ts"
import {
  type AbandonedJobs,
  type JobFilter,
  type JobRow,
  type JobSpan,
  type PendingJob,
  type PipelineDetails,
  type PipelineFilter,
  PipelineQueries,
  type PipelineRow,
  type StatusFilter,
  type StatusRow
} from "#src/pipelines/Queries.ts"
import { all, type Fragment, raw, select, selectPage, slice, sql } from "#src/platform/sql/fragment.ts"
import { lookupById } from "#src/platform/sql/lookup.ts"
import { type Client, Sql } from "#src/platform/sql/Sql.ts"
import { pipelineColumns, pipelineObject } from "./columns.ts"

const columns = pipelineColumns("p")

const userReference = (alias: string) => `case when ${alias}.id is null then null
  else json_build_object('id', ${alias}.id, 'username', ${alias}.username, 'name', ${alias}.name, 'state', ${alias}.state) end`

const details = raw(`select ${columns}, ${userReference("u")} as creator
  from rm_pipelines.pipelines p left join rm_users.users u on u.id = p.created_by`)

/** The statuses that a scope stands for. */
const scopes = {
  running: ["running"],
  pending: ["pending"],
  finished: ["success", "failed", "canceled"]
} as const

/** The newest of each branch, or of each tag. */
const newestOfEach = (projectId: number, isTag: boolean): Fragment => sql`p.is_tag = ${isTag} and not exists (
  select from rm_pipelines.pipelines later
  where later.project_id = ${projectId} and later.ref = p.ref and later.is_tag = p.is_tag and later.id > p.id)`

const inScope = (projectId: number, scope: PipelineFilter["scope"]): Fragment | false => {
  if (scope === undefined) return false
  if (scope === "branches" || scope === "tags") return newestOfEach(projectId, scope === "tags")
  return sql`p.status = any(${scopes[scope]})`
}

const where = (filter: PipelineFilter): Fragment =>
  all(
    sql`p.project_id = ${filter.projectId}`,
    inScope(filter.projectId, filter.scope),
    filter.status !== undefined && sql`p.status = ${filter.status}`,
    filter.source !== undefined && sql`p.source = ${filter.source}`,
    filter.ref !== undefined && sql`p.ref = ${filter.ref}`,
    filter.sha !== undefined && sql`p.sha = ${filter.sha}`,
    filter.name !== undefined && sql`p.name = ${filter.name}`,
    filter.username !== undefined &&
      sql`p.created_by = (select u.id from rm_users.users u where lower(u.username) = ${filter.username.toLowerCase()} limit 1)`,
    filter.yamlErrors === true && raw("p.yaml_errors is not null"),
    filter.yamlErrors === false && raw("p.yaml_errors is null"),
    filter.scheduleId !== undefined && sql`p.schedule_id = ${filter.scheduleId}`,
    filter.updatedAfter !== undefined && sql`p.updated_at >= ${filter.updatedAfter}`,
    filter.updatedBefore !== undefined && sql`p.updated_at <= ${filter.updatedBefore}`,
    filter.createdAfter !== undefined && sql`p.created_at >= ${filter.createdAfter}`,
    filter.createdBefore !== undefined && sql`p.created_at <= ${filter.createdBefore}`
  )

const orderColumns: Readonly<Record<PipelineFilter["order"]["by"], string>> = {
  id: "p.id",
  status: "p.status",
  ref: "p.ref",
  updated_at: "p.updated_at",
  user_id: "p.created_by"
}

const orderOf = ({ by, descending }: PipelineFilter["order"]): Fragment => {
  const direction = descending ? "desc" : "asc"
  return raw(by === "id" ? `p.id ${direction}` : `${orderColumns[by]} ${direction}, p.id ${direction}`)
}

const statusColumns = `s.id, s.pipeline_id, s.sha, s.ref, s.status, s.name, s.target_url, s.description, s.created_at, s.started_at,
  s.finished_at, s.allow_failure, s.coverage, ${userReference("u")} as author`

const statusTables = "rm_pipelines.jobs s left join rm_users.users u on u.id = s.created_by"

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
const statusOrder = ({ by, descending }: StatusFilter["order"]): Fragment => {
  const direction = descending ? "desc" : "asc"
  return raw(by === "id" ? `s.id ${direction}` : `s.pipeline_id ${direction}, s.id`)
}

const jobs =
  raw(`select j.id, j.pipeline_id, j.project_id, j.sha, j.ref, j.is_tag, j.name, j.stage, j.status, j.is_replaced, j.coverage,
  j.allow_failure, j.failure_reason, j.tags, j.executor, j.created_at, j.queued_at, j.started_at, j.finished_at, j.created_by,
  ${pipelineObject("p")} as pipeline
  from rm_pipelines.jobs j join rm_pipelines.pipelines p on p.id = j.pipeline_id`)

const whereJob = ({ pipelineId, projectId, statuses, withReplaced }: JobFilter): Fragment =>
  all(
    sql`j.project_id = ${projectId} and not j.is_external`,
    pipelineId !== undefined && sql`j.pipeline_id = ${pipelineId}`,
    statuses !== undefined && sql`j.status = any(${statuses})`,
    !withReplaced && raw("not j.is_replaced")
  )

/** Nobody runs jobs as a user who was shut out or deleted. */
const ownerIsActive = raw("exists (select from rm_users.users u where u.id = j.created_by and u.state = 'active')")

const first = <Row extends object>(client: Client, statement: Fragment) =>
  Effect.map(select<Row>(client, statement), ([row]): Row | undefined => row)

const queriesOf = ({ client, lookups }: Sql["Service"]): PipelineQueries["Service"] => ({
  list: (filter, page) =>
    selectPage<PipelineRow>(client, {
      rows: sql`
        select ${raw(columns)} from rm_pipelines.pipelines p where ${where(filter)} order by ${orderOf(filter.order)} ${slice(page)}`,
      count: sql`select count(*) as total from rm_pipelines.pipelines p where ${where(filter)}`
    }),
  find: (projectId, id) => first<PipelineDetails>(client, sql`${details} where p.id = ${id} and p.project_id = ${projectId}`),
  newest: (projectId, { ref, sha }) =>
    first<PipelineDetails>(
      client,
      sql`${details} where ${all(sql`p.project_id = ${projectId} and p.sha = ${sha}`, ref !== undefined && sql`p.ref = ${ref}`)}
        order by p.id desc limit 1`
    ),
  highestNumber: (projectId) =>
    `coalesce((select max(p.iid) from rm_pipelines.pipelines p where p.project_id = ${projectId}), 0)`,
  spans: (pipelineId) =>
    select<JobSpan>(
      client,
      sql`select s.started_at, s.finished_at, s.coverage from rm_pipelines.jobs s
        where s.pipeline_id = ${pipelineId} and not s.is_replaced`
    ),
  statuses: (filter, page) =>
    selectPage<StatusRow>(client, {
      rows: sql`select ${raw(statusColumns)} from ${raw(statusTables)} where ${whereStatus(filter)}
        order by ${statusOrder(filter.order)} ${slice(page)}`,
      count: sql`select count(*) as total from rm_pipelines.jobs s where ${whereStatus(filter)}`
    }),
  jobs: (filter, page) =>
    selectPage<JobRow>(client, {
      rows: sql`${jobs} where ${whereJob(filter)} order by j.id desc ${slice(page)}`,
      count: sql`select count(*) as total from rm_pipelines.jobs j where ${whereJob(filter)}`
    }),
  findJob: (projectId, id) =>
    first<JobRow>(client, sql`${jobs} where j.id = ${id} and j.project_id = ${projectId} and not j.is_external`),
  pending: ({ except, limit, projectId, tags }) =>
    select<PendingJob>(
      client,
      sql`select j.id, j.pipeline_id from rm_pipelines.jobs j
        where j.project_id = ${projectId} and j.status = 'pending' and not j.is_external and j.tags <@ ${tags}::text[]
          and j.id <> all(${except}::bigint[])
          and not exists (select from chronoforge.job_leases l where l.job_id = j.id)
          and ${ownerIsActive}
        order by j.id ${slice({ limit, offset: 0 })}`
    ),
  abandoned: (projectId, limit) =>
    select<AbandonedJobs>(
      client,
      sql`select distinct j.pipeline_id as "pipelineId", j.created_by as "userId" from rm_pipelines.jobs j
        where j.project_id = ${projectId} and j.status = 'pending' and not j.is_external and not ${ownerIsActive}
        ${slice({ limit, offset: 0 })}`
    ),
  withJobsOf: (userId) =>
    select<{ id: number }>(
      client,
      sql`select distinct j.pipeline_id as id from rm_pipelines.jobs j
        where j.created_by = ${userId} and j.status = any(${openStatuses}) and not j.is_external`
    ).pipe(Effect.map((rows) => rows.map(({ id }) => id))),
  findStatus: lookupById<StatusRow>(lookups, `select ${statusColumns} from ${statusTables} where s.id = any($1)`)
})

/** Answers questions about pipelines from Postgres. */
export const pipelineQueries: Layer.Layer<PipelineQueries, never, Sql> = Layer.effect(PipelineQueries, Effect.map(Sql, queriesOf))
