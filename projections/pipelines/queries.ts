import { Effect, Layer } from "effect"
import { openStatuses } from "#src/pipelines/Pipelines.ts"
import {
  type AbandonedJobs,
  type JobRow,
  type JobSpan,
  type PendingJob,
  type PipelineDetails,
  PipelineQueries,
  type PipelineRow,
  type StatusRow
} from "#src/pipelines/Queries.ts"
import { all, type Fragment, raw, select, slice, sql } from "#src/platform/sql/fragment.ts"
import { lookupById } from "#src/platform/sql/lookup.ts"
import { type Client, Sql } from "#src/platform/sql/Sql.ts"
import { selectListed } from "../selectListed.ts"
import { pipelineColumns, userReference } from "./columns.ts"
import { jobListing, jobRows, jobsAfter, statusColumns, statusListing, statusTables } from "./jobs.ts"
import { pipelineListing } from "./list.ts"
import { openMergeRequestsOf } from "./openMergeRequests.ts"

const columns = pipelineColumns("p")

const details = raw(`select ${columns}, ${userReference("u")} as creator
  from rm_pipelines.pipelines p left join rm_users.users u on u.id = p.created_by`)

/** Nobody runs jobs as a user who was shut out or deleted. */
const ownerIsActive = raw("exists (select from rm_users.users u where u.id = j.created_by and u.state = 'active')")

/** Said in words, as the index says it. */
const isOpenJob = raw(`not j.is_external and j.status in (${openStatuses.map((status) => `'${status}'`).join(", ")})`)

/**
 * Of these pipelines, those with older ones under way of their branch or tag, for other commits. The planner does not see what is asked of
 * the ref, by whose index it would go through all pipelines that a branch has had.
 */
const withOlder = `
  select n.id from rm_pipelines.pipelines n where n.id = any($1::bigint[]) and exists (
    select from (
      select p.ref, p.is_tag, p.source, p.sha from rm_pipelines.pipelines p
      where p.project_id = n.project_id and p.status = any('{${openStatuses.join(",")}}') and p.id < n.id offset 0
    ) p where p.ref = n.ref and p.is_tag = n.is_tag and p.source <> 'external' and p.sha <> n.sha)`

const hasOlderOf = (lookups: Client): PipelineQueries["Service"]["hasOlder"] => {
  const find = lookupById<{ readonly id: number }>(lookups, withOlder)
  return (id) => Effect.map(find(id), (found) => found !== undefined)
}

const first = <Row extends object>(client: Client, statement: Fragment) =>
  Effect.map(select<Row>(client, statement), ([row]): Row | undefined => row)

const queriesOf = ({ client, lookups }: Sql["Service"]): PipelineQueries["Service"] => ({
  list: (filter, page) => selectListed<PipelineRow>(client, pipelineListing(filter), page),
  find: (projectId, id) => first<PipelineDetails>(client, sql`${details} where p.id = ${id} and p.project_id = ${projectId}`),
  newest: (projectId, { isTag, ref, sha }) => {
    const found = all(
      sql`p.project_id = ${projectId} and p.sha = ${sha}`,
      ref !== undefined && sql`p.ref = ${ref}`,
      isTag !== undefined && sql`p.is_tag = ${isTag}`
    )
    return first<PipelineDetails>(client, sql`${details} where ${found} order by p.id desc limit 1`)
  },
  highestNumber: (projectId) =>
    `coalesce((select max(p.iid) from rm_pipelines.pipelines p where p.project_id = ${projectId}), 0)`,
  spans: (pipelineId) =>
    select<JobSpan>(
      client,
      sql`select s.started_at, s.finished_at, s.coverage from rm_pipelines.jobs s
        where s.pipeline_id = ${pipelineId} and not s.is_replaced`
    ),
  statuses: (filter, page) => selectListed<StatusRow>(client, statusListing(filter), page),
  jobs: (filter, page) => selectListed<JobRow>(client, jobListing(filter), page),
  jobsAfter: (filter, page) => select<JobRow>(client, jobsAfter(filter, page)),
  findJob: (projectId, id) =>
    first<JobRow>(
      client,
      sql`${jobRows(raw("rm_pipelines.jobs j"))} where j.id = ${id} and j.project_id = ${projectId} and not j.is_external`
    ),
  pending: ({ except, limit, projectId, tags }) =>
    select<PendingJob>(
      client,
      sql`select j.id, j.pipeline_id from rm_pipelines.jobs j
        where j.project_id = ${projectId} and j.status = any('{pending}') and not j.is_external and j.tags <@ ${tags}::text[]
          and j.id <> all(${except}::bigint[])
          and not exists (select from chronoforge.job_leases l where l.job_id = j.id)
          and ${ownerIsActive}
        order by j.status, j.id ${slice({ limit, offset: 0 })}`
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
        where j.created_by = ${userId} and ${isOpenJob}`
    ).pipe(Effect.map((rows) => rows.map(({ id }) => id))),
  hasOlder: hasOlderOf(lookups),
  redundant: ({ before, createdAfter, except, isTag, projectId, ref }) =>
    select<{ id: number }>(
      client,
      sql`select p.id from rm_pipelines.pipelines p
        where p.project_id = ${projectId} and p.ref = ${ref} and p.is_tag = ${isTag} and p.status = any(${openStatuses})
          and p.id < ${before} and p.created_at >= ${createdAfter} and p.source <> 'external' and p.sha <> all(${except}::text[])
        order by p.id`
    ).pipe(Effect.map((rows) => rows.map(({ id }) => id))),
  openMergeRequests: openMergeRequestsOf(lookups),
  findStatus: lookupById<StatusRow>(lookups, `select ${statusColumns} from ${statusTables} where s.id = any($1)`)
})

/** Answers questions about pipelines from Postgres. */
export const pipelineQueries: Layer.Layer<PipelineQueries, never, Sql> = Layer.effect(PipelineQueries, Effect.map(Sql, queriesOf))
