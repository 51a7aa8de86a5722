import { it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import fc from "fast-check"
import { describe, expect } from "vitest"
import { pipelineQueries } from "#projections/pipelines/queries.ts"
import { defined } from "#src/kernel/defined.ts"
import { type JobFilter, type JobKeyset, type PipelineFilter, PipelineQueries, type PipelineRow } from "#src/pipelines/Queries.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { asking, blocksOf, type Sent } from "#test/support/blocks.ts"
import { databaseLayer } from "#test/support/database.ts"

/** So many that totals are not told, and so many that whoever reads them all is noticed. */
const [some, many] = [12_500, 60_000]

const user = {
  ...{ id: 7, username: "Seven", name: "Seven", email: "7@example.com", state: "active", admin: false, external: false },
  ...{ created_at: 0, updated_at: 0, projects_limit: 0, can_create_group: false, private_profile: false, theme_id: 1 },
  ...{
    bio: "",
    skype: "",
    linkedin: "",
    twitter: "",
    discord: "",
    website_url: "",
    job_title: "",
    color_scheme_id: 1,
    identities: []
  }
}

/** The first project has most pipelines. Its oldest ones have values that no others have. */
const population = (count: number): ReadonlyArray<string> => [
  `insert into rm_users.users select * from json_populate_record(null::rm_users.users, '${JSON.stringify(user)}')`,
  `insert into rm_pipelines.pipelines (id, project_id, iid, sha, ref, is_tag, source, status, name, yaml_errors, schedule_id, created_by,
    created_at, updated_at)
  select i, case when i % 10 = 0 then 2 else 1 end, i, 'sha' || i / 20,
    case when i <= 20 then 'old' when i % 3 = 0 then 'main' else 'b' || (i * 7919) % 13 end, i > 20 and i % 97 = 0,
    case when i <= 20 then 'trigger' when i % 5 = 0 then 'web' else 'push' end,
    case when i <= 20 then 'manual' when i % 7 = 0 then 'failed' when i % 11 = 0 then 'canceled' else 'success' end,
    case when i <= 20 then 'Old' when i % 50 = 3 then 'Nightly' end, case when i <= 20 then 'wrong' end,
    case when i % 10 = 0 then null when i <= 20 then 2 when i % 9 = 0 then 1 end, case when i <= 20 then 7 else 100 + i % 17 end,
    i * 10 + (i * 31) % 500, i * 10 + 1000 + (i * 17) % 5000
  from generate_series(1, ${count}) i`,
  `insert into rm_pipelines.jobs (id, pipeline_id, project_id, sha, ref, is_tag, name, stage, stage_index, status, is_external, is_replaced,
    created_by, allow_failure, tags, created_at)
  select p.id, p.id, p.project_id, p.sha, p.ref, p.is_tag, 'build', 'build', 0, p.status, false, p.id % 4 = 0, p.created_by, false, '{}',
    p.created_at
  from rm_pipelines.pipelines p`,
  "analyze"
]

interface Stored extends PipelineRow {
  readonly created_by: number
}

interface Stage {
  readonly queries: PipelineQueries["Service"]
  readonly sent: Array<Sent>
  readonly all: ReadonlyArray<Stored>
}

const makeStage = Effect.fnUntraced(function* (count: number): Effect.fn.Return<Stage, never, Sql | Scope.Scope> {
  const asked = yield* asking(PipelineQueries, pipelineQueries, population(count))
  const { client } = yield* Sql
  const all = yield* query(() => client.unsafe<Array<Stored>>("select * from rm_pipelines.pipelines order by id"))
  return { ...asked, all }
})

const statusesOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  running: ["running"],
  pending: ["pending"],
  finished: ["success", "failed", "canceled"]
}

const keyOf = (row: Stored, by: PipelineFilter["order"]["by"]): number | string => (by === "user_id" ? row.created_by : row[by])

const compare = (one: Stored, other: Stored, { by, descending }: PipelineFilter["order"]): number => {
  const [a, b] = [keyOf(one, by), keyOf(other, by)]
  const order = a < b ? -1 : a > b ? 1 : one.id - other.id
  return descending ? -order : order
}

/** What is listed, told in the words of the interface. */
const listed = (all: ReadonlyArray<Stored>, filter: PipelineFilter): ReadonlyArray<number> => {
  const { order, projectId, scheduleId, scope, username, yamlErrors } = filter
  const ofProject = all.filter((row) => row.project_id === projectId)
  const ofPlace = ofProject.filter((row) => scheduleId === undefined || row.schedule_id === scheduleId)
  const newest = new Map(ofPlace.filter(({ is_tag }) => is_tag === (scope === "tags")).map(({ id, ref }) => [ref, id]))
  const isInScope = (row: Stored) =>
    scope === "branches" || scope === "tags" ? newest.get(row.ref) === row.id && row.is_tag === (scope === "tags") : true
  const same = (["status", "source", "ref", "sha", "name"] as const).filter((name) => filter[name] !== undefined)
  return ofProject
    .filter(
      (row) =>
        isInScope(row) &&
        (scope === undefined || statusesOf[scope]?.includes(row.status) !== false) &&
        same.every((name) => row[name] === filter[name]) &&
        (username === undefined || (row.created_by === 7 && username.toLowerCase() === "seven")) &&
        (yamlErrors === undefined || (row.yaml_errors !== null) === yamlErrors) &&
        (scheduleId === undefined || row.schedule_id === scheduleId) &&
        row.updated_at >= (filter.updatedAfter ?? 0) &&
        row.updated_at <= (filter.updatedBefore ?? Number.POSITIVE_INFINITY) &&
        row.created_at >= (filter.createdAfter ?? 0) &&
        row.created_at <= (filter.createdBefore ?? Number.POSITIVE_INFINITY)
    )
    .toSorted((one, other) => compare(one, other, order))
    .map(({ id }) => id)
}

const time = fc.integer({ min: 0, max: some * 10 })
const orders = ["id", "status", "ref", "updated_at", "user_id"] as const

const conditions = {
  scope: fc.constantFrom("running", "pending", "finished", "branches", "tags" as const),
  status: fc.constantFrom("success", "failed", "manual", "running" as const),
  source: fc.constantFrom("push", "web", "trigger", "chat" as const),
  ref: fc.constantFrom("main", "b1", "old", "none"),
  sha: fc.constantFrom("sha0", "sha600", "none"),
  name: fc.constantFrom("Nightly", "Old", "None"),
  username: fc.constantFrom("seven", "nobody"),
  yamlErrors: fc.boolean(),
  scheduleId: fc.constantFrom(1, 2, 3),
  updatedAfter: time,
  updatedBefore: time,
  createdAfter: time,
  createdBefore: time
}

/** Mostly of one or two conditions. */
const filters = fc
  .record({
    names: fc.subarray(Object.keys(conditions), { maxLength: 3 }),
    values: fc.record(conditions),
    by: fc.constantFrom(...orders),
    descending: fc.boolean()
  })
  .map(({ by, descending, names, values }): PipelineFilter => {
    const chosen: Partial<typeof values> = Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
    return { projectId: 1, ...chosen, order: { by, descending } }
  })

const pages = fc.record({ limit: fc.constantFrom(1, 20, 100), offset: fc.constantFrom(0, 0, 20, 900, 10_500) })

const keysets = fc.record({
  limit: fc.constantFrom(1, 21, 101),
  descending: fc.boolean(),
  after: fc.option(fc.integer({ min: 0, max: some + 1 }), { nil: undefined })
})

const jobConditions = fc.record({
  statuses: fc.array(fc.constantFrom("success", "failed", "canceled", "manual", "running" as const), { maxLength: 3 }),
  withReplaced: fc.boolean()
})
type Keyset = Omit<JobKeyset, "after"> & { readonly after: number | undefined }
type JobCondition = Required<Pick<JobFilter, "statuses" | "withReplaced">>

const byId = { by: "id", descending: true } as const
const page = { limit: 20, offset: 0 }

/** Each filter alone, with a value of the oldest pipelines or of none, and each order. */
const alone: ReadonlyArray<Omit<PipelineFilter, "projectId" | "order"> & { readonly order?: PipelineFilter["order"] }> = [
  ...orders.flatMap((by) => [{ order: { by, descending: true } }, { order: { by, descending: false } }]),
  ...(["manual", "running"] as const).flatMap((status) => [
    { status },
    ...orders.map((by) => ({ status, order: { by, descending: true } }))
  ]),
  ...(["running", "pending", "finished", "branches", "tags"] as const).map((scope) => ({ scope })),
  ...(["trigger", "chat"] as const).map((source) => ({ source })),
  ...["old", "none"].map((ref) => ({ ref })),
  ...["sha0", "none"].map((sha) => ({ sha })),
  ...["Old", "None"].map((name) => ({ name })),
  ...["seven", "nobody"].map((username) => ({ username })),
  ...[2, 3].map((scheduleId) => ({ scheduleId })),
  ...(["branches", "tags"] as const).map((scope) => ({ scope, scheduleId: 1 })),
  { yamlErrors: true },
  { updatedAfter: many * 20 },
  { updatedBefore: 2_000 },
  { createdAfter: many * 20 },
  { createdBefore: 300 },
  { createdAfter: 100, createdBefore: 300 }
]

const jobFilters: ReadonlyArray<Partial<JobFilter>> = [
  {},
  { statuses: ["manual"] },
  { statuses: ["running"] },
  { statuses: ["manual", "running"] },
  { pipelineId: 1, withReplaced: false }
]

/** A branch that has a third of all pipelines. */
const newestOfMain = many - 3

/** The table of pipelines has twice as many, and some five hundred rows may be looked at in vain. */
const maxBlocks = 700

describe("lists of pipelines", () => {
  it.live("show what fits, in order, page by page", () =>
    Effect.gen(function* () {
      const { all, queries } = yield* makeStage(some)
      const check = async (filter: PipelineFilter, { limit, offset }: typeof page) => {
        const { extent, rows } = await Effect.runPromise(queries.list(filter, { limit, offset }))
        const expected = listed(all, filter)
        expect(rows.map(({ id }) => id)).toEqual(expected.slice(offset, offset + limit))
        expect(extent).toEqual(
          expected.length > 10_000 ? { hasNext: expected.length > offset + limit } : { total: expected.length }
        )
      }
      yield* Effect.promise(() => fc.assert(fc.asyncProperty(filters, pages, check), { numRuns: 300 }))
      const jobIds = ({ statuses, withReplaced }: JobCondition) =>
        all
          .filter((row) => row.project_id === 1 && (withReplaced || row.id % 4 !== 0))
          .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
          .map(({ id }) => id)
      const checkJobs = async ({ statuses, withReplaced }: JobCondition, { limit, offset }: typeof page) => {
        const filter = { projectId: 1, withReplaced, ...(statuses.length > 0 && { statuses }) }
        const { extent, rows } = await Effect.runPromise(queries.jobs(filter, { limit, offset }))
        const expected = jobIds({ statuses, withReplaced }).toReversed()
        expect(rows.map(({ id }) => id)).toEqual(expected.slice(offset, offset + limit))
        expect(extent).toEqual(
          expected.length > 10_000 ? { hasNext: expected.length > offset + limit } : { total: expected.length }
        )
      }
      yield* Effect.promise(() => fc.assert(fc.asyncProperty(jobConditions, pages, checkJobs), { numRuns: 100 }))
      const checkAfter = async ({ statuses, withReplaced }: JobCondition, { after, descending, limit }: Keyset) => {
        const filter = { projectId: 1, withReplaced, ...(statuses.length > 0 && { statuses }) }
        const rows = await Effect.runPromise(queries.jobsAfter(filter, { descending, limit, ...defined({ after }) }))
        const ids = jobIds({ statuses, withReplaced })
        const ordered = descending ? ids.toReversed() : ids
        const behind = ordered.filter((id) => after === undefined || (descending ? id < after : id > after))
        expect(rows.map(({ id }) => id)).toEqual(behind.slice(0, limit))
      }
      yield* Effect.promise(() => fc.assert(fc.asyncProperty(jobConditions, keysets, checkAfter), { numRuns: 100 }))
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(databaseLayer)))
  )

  it.live("cost no more where more does not fit", () =>
    Effect.gen(function* () {
      const { queries, sent } = yield* makeStage(many)
      const costs: Array<readonly [filter: string, blocks: number]> = []
      const measure = Effect.fnUntraced(function* (filter: object, list: Effect.Effect<unknown>) {
        sent.length = 0
        yield* list
        for (const statement of [...sent]) costs.push([JSON.stringify(filter), yield* blocksOf(statement)])
      })
      const measureAll = Effect.gen(function* () {
        for (const filter of alone) yield* measure(filter, queries.list({ projectId: 1, order: byId, ...defined(filter) }, page))
        for (const filter of jobFilters) {
          yield* measure(filter, queries.jobs({ projectId: 1, withReplaced: true, ...filter }, page))
        }
        for (const filter of jobFilters)
          for (const descending of [true, false]) {
            const from = { descending, limit: 21, after: many / 2 }
            yield* measure({ from, ...filter }, queries.jobsAfter({ projectId: 1, withReplaced: true, ...filter }, from))
          }
        for (const userId of [7, 101]) yield* measure({ userId }, queries.withJobsOf(userId))
        for (const projectId of [1, 3]) {
          yield* measure({ claiming: projectId }, queries.pending({ projectId, tags: [], except: [], limit: 1 }))
          yield* measure({ listed: projectId }, queries.list({ projectId, order: byId }, page))
        }
        yield* measure({ newest: "none" }, queries.newest(1, { sha: "none", ref: "main" }))
        yield* measure({ olderThan: newestOfMain }, queries.hasOlder(newestOfMain))
      })
      yield* measureAll
      // What was not vacuumed has no map of what is visible, and the planner thinks less of indexes that have all columns.
      yield* Effect.flatMap(Sql, ({ client }) => query(() => client.unsafe("vacuum")))
      yield* measureAll
      expect(costs).toHaveLength(2 * (2 * (alone.length + jobFilters.length) + 2 * jobFilters.length + 10))
      expect(costs.filter(([, blocks]) => !(blocks <= maxBlocks))).toEqual([])
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(databaseLayer)))
  )
})
