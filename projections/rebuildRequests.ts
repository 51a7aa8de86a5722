import { Cause, Clock, Effect, Queue } from "effect"
import { EventStore, type Position } from "#src/platform/eventStore/EventStore.ts"
import type { RebuildProgress, RebuildState } from "#src/platform/Projections.ts"
import { makeClient } from "#src/platform/sql/client.ts"
import { attempt, type Client, query, Sql, type SqlError } from "#src/platform/sql/Sql.ts"
import { positionOf } from "./generations.ts"
import type { ReadModel } from "./ReadModel.ts"
import { type RebuildReport, rebuild } from "./rebuild.ts"

const channel = "chronoforge_rebuilds"
/** The leader looks for requests this often, should a notification be lost with its connection. */
const pollInterval = "5 seconds"

export const requestRebuild = (client: Client, names: ReadonlyArray<string>): Effect.Effect<number> =>
  query(async () => {
    const [row] = await client<Array<{ id: number }>>`
      with asked as (insert into chronoforge.rebuilds (read_models) values (${names}) returning id)
      select id, pg_notify(${channel}, id::text) from asked`
    return row?.id ?? 0
  })

export const cancelRebuild = (client: Client, id: number): Effect.Effect<void> =>
  Effect.asVoid(
    query(
      () => client`update chronoforge.rebuilds set cancel_requested = true,
        state = case when state = 'requested' then 'cancelled' else state end
        where id = ${id} and state in ('requested', 'running')`
    )
  )

/** The parked streams of what a rebuild made: beside the live read models until the two are swapped. */
const parked = `
  from chronoforge.parked_streams p
  where p.read_model = any(r.read_models) and p.generation = case r.state when 'finished' then 'live' else 'next' end`

const rebuilds = `
  select id, read_models as "readModels", state, events, position, head, events_per_second as "eventsPerSecond", differing, examples, error,
    (select count(*) ${parked}) as "parkedStreams",
    (select json_build_object('readModel', read_model, 'stream', stream, 'revision', revision, 'type', type, 'error', error)
      ${parked} order by position, read_model limit 1) as "firstParked"
  from chronoforge.rebuilds r`

const read = (client: Client, condition: string, parameters: Array<number> = []) =>
  query(() => client.unsafe<Array<RebuildProgress>>(`${rebuilds} where ${condition} order by id`, parameters))

export const rebuildProgress = (client: Client, id: number): Effect.Effect<RebuildProgress | undefined> =>
  Effect.map(read(client, "id = $1", [id]), ([row]) => row)

const isPending = "state in ('requested', 'running')"

/** The rebuilds that run or wait, oldest first. A running one that no process works on was interrupted: it goes on. */
export const pendingRebuilds = (client: Client): Effect.Effect<ReadonlyArray<RebuildProgress>> => read(client, isPending)

/** The rebuilds that are not over, and the last one of each read model, oldest first. */
export const recentRebuilds = (client: Client): Effect.Effect<ReadonlyArray<RebuildProgress>> =>
  read(client, `${isPending} or id in (select max(id) from chronoforge.rebuilds, unnest(read_models) as name group by name)`)

const finish = (
  client: Client,
  id: number,
  state: RebuildState,
  result: { differing?: number; examples?: ReadonlyArray<string>; error?: string }
) =>
  attempt(
    () => client`update chronoforge.rebuilds set state = ${state}, finished_at = now(), differing = ${result.differing ?? null},
      examples = ${result.examples ?? []}, error = ${result.error ?? null} where id = ${id}`
  )

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** So many events are counted at a time. */
const countedAtOnce = 10_000

/** The number of events up to a position of the log: what the rebuild that came nearest to it says, and those behind. */
const eventsUpTo = Effect.fnUntraced(function* (client: Client, position: Position) {
  const store = yield* EventStore
  const [counted] = yield* attempt(
    () => client<Array<{ events: number; position: Position }>>`
      select events, position from chronoforge.rebuilds where position <= ${position} order by position desc, id desc limit 1`
  )
  let [events, after] = [counted?.events ?? 0, counted?.position ?? 0]
  while (after < position) {
    const found = (yield* store.readAll(after, countedAtOnce, { withTexts: true })).filter((event) => event.position <= position)
    events += found.length
    after = found.at(-1)?.position ?? position
  }
  return events
})

/** Where a rebuild of read models begins: behind what an earlier one has replayed, if it was not finished. */
const startOf = (client: Client, readModels: ReadonlyArray<ReadModel>) =>
  Effect.map(
    Effect.forEach(readModels, (readModel) => attempt(() => positionOf(client, readModel, "next"))),
    (positions) => Math.min(...positions.map((position) => position ?? 0))
  )

const execute = (client: Client, readModels: ReadonlyArray<ReadModel>, request: RebuildProgress) =>
  Effect.gen(function* () {
    const targets = readModels.filter((readModel) => request.readModels.includes(readModel.name))
    const start = yield* startOf(client, targets)
    const before = yield* eventsUpTo(client, start)
    const startedAt = yield* Clock.currentTimeMillis
    const report = (progress: RebuildReport): Effect.Effect<boolean, SqlError> =>
      Effect.gen(function* () {
        const seconds = Math.max(1, (yield* Clock.currentTimeMillis) - startedAt) / 1000
        const [row] = yield* attempt(
          () => client<Array<{ cancel_requested: boolean }>>`
            update chronoforge.rebuilds set events = ${before + progress.events}, position = ${progress.position}, head = ${progress.head},
              events_per_second = ${progress.events / seconds} where id = ${request.id} returning cancel_requested`
        )
        return row?.cancel_requested ?? true
      })
    yield* attempt(
      () => client`
        update chronoforge.rebuilds set state = 'running', events = ${before}, position = ${start} where id = ${request.id}`
    )
    const outcome = yield* rebuild(client, targets, report)
    if (outcome._tag === "Cancelled") return yield* finish(client, request.id, "cancelled", {})
    const { count, examples } = outcome.differences
    return yield* finish(client, request.id, "finished", { differing: count, examples })
  }).pipe(
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterruptsOnly(cause),
      (cause) => finish(client, request.id, "failed", { error: messageOf(Cause.squash(cause)) })
    )
  )

/** Carries out rebuilds as they are asked for. Never ends; the leader runs it. */
export const runRebuilds = (readModels: ReadonlyArray<ReadModel>) =>
  Effect.gen(function* () {
    const { url } = yield* Sql
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => makeClient(url, { connections: 3, name: "chronoforge-rebuild", relaxedCommit: true })),
      (it) => Effect.ignore(attempt(() => it.end({ timeout: 1 })))
    )
    const notifications = yield* Queue.sliding<void>(1)
    yield* attempt(() => client.listen(channel, () => Queue.offerUnsafe(notifications, undefined)))
    for (;;) {
      for (const request of yield* pendingRebuilds(client)) yield* execute(client, readModels, request)
      yield* Queue.take(notifications).pipe(Effect.timeoutOption(pollInterval))
    }
  })
