import { Effect, Layer } from "effect"
import { all, type Fragment, raw, select, slice, sql } from "#src/platform/sql/fragment.ts"
import { type Client, Sql } from "#src/platform/sql/Sql.ts"
import {
  type DueSchedule,
  type ScheduleDetails,
  type ScheduleFilter,
  ScheduleQueries,
  type ScheduleRow,
  type SlotRow,
  type StartedSlot,
  type VariableRow
} from "#src/schedules/Queries.ts"
import { pipelineObject, userReference } from "../pipelines/columns.ts"
import { type Listing, selectListed } from "../selectListed.ts"

const columns = `s.id, s.project_id, s.description, s.ref, s.cron, s.cron_timezone, s.is_active, s.next_run_at, s.created_at,
  s.updated_at, s.owner_id, ${userReference("u")} as owner`

const tables = "rm_schedules.schedules s left join rm_users.users u on u.id = s.owner_id"

/** By the index of schedules, and not by ids, of which a schedule may have none among the last million. */
const lastPipeline = `(select ${pipelineObject("p")} from rm_pipelines.pipelines p
  where p.schedule_id = any(array[s.id]) order by p.schedule_id desc, p.id desc limit 1) as last_pipeline`

const where = ({ isActive, projectId }: ScheduleFilter) =>
  all(sql`s.project_id = ${projectId}`, isActive === true && raw("s.is_active"), isActive === false && raw("not s.is_active"))

const first = <Row extends object>(client: Client, statement: Fragment) =>
  Effect.map(select<Row>(client, statement), ([row]): Row | undefined => row)

const slotColumns = `t.at, t.state, t.reason, t.message, t.noted_at, t.has_more, case when p.id is null then null
  else ${pipelineObject("p")} end as pipeline`

const dueColumns = `s.id, s.revision, s.planned_by < s.revision as is_stale, s.next_run_at, s.updated_at, s.project_id, s.owner_id,
  s.cron, s.cron_timezone`

/** A project has few schedules: all that fit are sorted, rather than those of all projects looked at in order. */
const listing = (filter: ScheduleFilter): Listing => {
  const found = sql`select s.id from rm_schedules.schedules s where ${where(filter)}`
  return {
    rows: (page) => sql`
      select ${raw(columns)} from (
        select id from (${found} offset 0) found order by id desc ${slice(page)}
      ) listed join rm_schedules.schedules s on s.id = listed.id left join rm_users.users u on u.id = s.owner_id
      order by s.id desc`,
    counted: found
  }
}

/** The order is that of the key, also for those that are counted: what other schedules have is not read. */
const slotListing = (scheduleId: number): Listing => {
  const found = sql`select t.* from rm_schedules.slots t where t.schedule_id = ${scheduleId} order by t.at desc`
  return {
    rows: (page) => sql`
      select ${raw(slotColumns)} from (${found} ${slice(page)}) t left join rm_pipelines.pipelines p on p.id = t.pipeline_id
      order by t.at desc`,
    counted: found
  }
}

const idsOf = (client: Client, statement: Fragment) =>
  Effect.map(select<{ id: number }>(client, statement), (rows) => rows.map(({ id }) => id))

const queriesOf = ({ client }: Sql["Service"]): ScheduleQueries["Service"] => ({
  list: (filter, page) => selectListed<ScheduleRow>(client, listing(filter), page),
  find: (projectId, id) =>
    first<ScheduleDetails>(
      client,
      sql`select ${raw(columns)}, ${raw(lastPipeline)} from ${raw(tables)} where s.id = ${id} and s.project_id = ${projectId}`
    ),
  count: (projectId) =>
    Effect.map(
      first<{ total: number }>(
        client,
        sql`select count(*) as total from rm_schedules.schedules s where s.project_id = ${projectId}`
      ),
      (row) => row?.total ?? 0
    ),
  variables: (scheduleId) =>
    select<VariableRow>(
      client,
      sql`select v.key, v.variable_type, v.value, v.raw from rm_schedules.variables v
        where v.schedule_id = ${scheduleId} order by v.number`
    ),
  variable: (scheduleId, key) =>
    first<VariableRow>(
      client,
      sql`select v.key, v.variable_type, v.value, v.raw from rm_schedules.variables v
        where v.schedule_id = ${scheduleId} and v.key = ${key}`
    ),
  slots: (scheduleId, page) => selectListed<SlotRow>(client, slotListing(scheduleId), page),
  started: (scheduleId, among) =>
    Effect.map(
      select<{ at: number }>(
        client,
        sql`select t.at from rm_schedules.slots t
          where t.schedule_id = ${scheduleId} and t.at = any(${among}::bigint[]) and t.state in ('started', 'fired', 'failed')`
      ),
      (rows) => rows.map(({ at }) => at)
    ),
  due: (now, limit, except) =>
    select<DueSchedule>(
      client,
      sql`(select ${raw(dueColumns)} from rm_schedules.schedules s
          where s.is_active and s.next_run_at <= ${now} and s.id <> all(${except}::bigint[])
          order by s.next_run_at, s.id ${slice({ limit, offset: 0 })})
        union all
        (select ${raw(dueColumns)} from rm_schedules.schedules s
          where s.planned_by < s.revision and not (s.is_active and coalesce(s.next_run_at <= ${now}, false))
            and s.id <> all(${except}::bigint[])
          order by s.id ${slice({ limit, offset: 0 })})`
    ),
  nextDue: (now) =>
    Effect.map(
      first<{ next: number }>(
        client,
        sql`select s.next_run_at as next from rm_schedules.schedules s
          where s.is_active and s.next_run_at > ${now} order by s.next_run_at, s.id limit 1`
      ),
      (row) => row?.next
    ),
  unfinished: (before, limit, behind) =>
    select<StartedSlot>(
      client,
      sql`select t.schedule_id as "scheduleId", t.at, t.pipeline_id as "pipelineId" from rm_schedules.slots t
        where t.state = 'started' and t.noted_at <= ${before}
          and (t.schedule_id, t.at) > (${behind?.scheduleId ?? 0}, ${behind?.at ?? 0})
        order by t.schedule_id, t.at ${slice({ limit, offset: 0 })}`
    ),
  activeOf: (ownerId) =>
    idsOf(client, sql`select s.id from rm_schedules.schedules s where s.owner_id = ${ownerId} and s.is_active order by s.id`),
  ofProject: (projectId) =>
    idsOf(client, sql`select s.id from rm_schedules.schedules s where s.project_id = ${projectId} order by s.id`)
})

/** Answers questions about schedules from Postgres. */
export const scheduleQueries: Layer.Layer<ScheduleQueries, never, Sql> = Layer.effect(ScheduleQueries, Effect.map(Sql, queriesOf))
