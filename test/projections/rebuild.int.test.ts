import { it } from "@effect/vitest"
import { Effect, Fiber, Layer, Schedule } from "effect"
import { describe, expect } from "vitest"
import { layerProjections } from "#projections/layer.ts"
import type { ReadModel } from "#projections/ReadModel.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { layerPostgres } from "#src/platform/eventStore/postgres.ts"
import { Projections } from "#src/platform/Projections.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { databaseLayer } from "#test/support/database.ts"
import { changed, notesReadModel, removed, written } from "./sample.ts"

const running = (readModel: ReadModel = notesReadModel) =>
  layerProjections([readModel]).pipe(Layer.provideMerge(layerPostgres), Layer.provideMerge(databaseLayer), Layer.fresh)

const rows = Sql.use(({ client }) =>
  query(async () => [...(await client`select id, text, revision from rm_notes.notes order by id`.values())])
)

const seed = (notes: number) =>
  Effect.gen(function* () {
    const store = yield* EventStore
    yield* Effect.forEach(
      Array.from({ length: notes }, (_, index) => index + 1),
      (id) => store.append(`note-${id}`, "noStream", [written(id, "a"), changed(id, `b${id}`)]),
      { concurrency: "unbounded", discard: true }
    )
    const head = yield* store.head
    yield* Projections.use((projections) => projections.awaitPosition(head))
    return head
  })

const over = new Set(["finished", "cancelled", "failed"])

const outcome = (id: number) =>
  Projections.use((projections) => projections.rebuildProgress(id)).pipe(
    Effect.repeat({ until: (progress) => over.has(progress?.state ?? ""), schedule: Schedule.spaced("10 millis") })
  )

const rebuilt = Effect.gen(function* () {
  const projections = yield* Projections
  return yield* outcome(yield* projections.requestRebuild(["notes"]))
})

/** A rebuild that has replayed the log and waits for the projector, which is held up until `letGo`. */
const heldUp = Effect.gen(function* () {
  const store = yield* EventStore
  const projections = yield* Projections
  const { client } = yield* Sql
  const holder = yield* Effect.acquireRelease(
    query(() => client.reserve()),
    (it) => Effect.sync(() => it.release())
  )
  yield* query(() => holder`begin`)
  yield* query(() => holder`select 1 from chronoforge.read_models where generation = 'live' for update`)
  const { position } = yield* store.append("note-4", "noStream", [written(4, "late")])
  const id = yield* projections.requestRebuild(["notes"])
  yield* projections
    .rebuildProgress(id)
    .pipe(Effect.repeat({ until: (it) => it?.position === position, schedule: Schedule.spaced("10 millis") }))
  return { id, position, letGo: query(() => holder`commit`) }
})

const indexes = Sql.use(({ client }) =>
  query(async () => (await client`select indexdef from pg_indexes where schemaname = 'rm_notes' order by 1`.values()).flat())
)

describe("a rebuild", () => {
  it.live("makes all indexes that the live tables have", () =>
    Effect.gen(function* () {
      yield* seed(3)
      const live = yield* indexes
      expect(live).toEqual([
        "CREATE INDEX by_text ON rm_notes.notes USING btree (text)",
        "CREATE INDEX notes_author_idx ON rm_notes.notes USING btree (author)",
        "CREATE UNIQUE INDEX notes_pkey ON rm_notes.notes USING btree (id)"
      ])
      expect(yield* rebuilt).toMatchObject({ state: "finished", differing: 0 })
      expect(yield* indexes).toEqual(live)
    }).pipe(Effect.provide(running()))
  )

  it.live("replays everything and finds no difference", () =>
    Effect.gen(function* () {
      const head = yield* seed(50)
      const before = yield* rows
      expect(yield* rebuilt).toMatchObject({
        state: "finished",
        events: 100,
        position: head,
        head,
        differing: 0,
        examples: [],
        error: null
      })
      expect(yield* rows).toEqual(before)
    }).pipe(Effect.provide(running()))
  )

  it.live("says which rows differed and puts them right", () =>
    Effect.gen(function* () {
      yield* seed(3)
      const right = yield* rows
      yield* Sql.use(({ client }) =>
        query(async () => {
          await client`update rm_notes.notes set text = 'wrong' where id = 1`
          await client`delete from rm_notes.notes where id = 2`
          await client`insert into rm_notes.notes values (9, 'eve', 'made up', 0)`
        })
      )
      const progress = yield* rebuilt
      expect([progress?.state, progress?.differing, [...(progress?.examples ?? [])].sort()]).toEqual([
        "finished",
        3,
        [
          `notes [1]: rebuilt {"id":1,"author":"ann","text":"b1","revision":1} instead of {"id":1,"author":"ann","text":"wrong","revision":1}`,
          `notes [2]: rebuilt {"id":2,"author":"ann","text":"b2","revision":1} instead of nothing`,
          `notes [9]: rebuilt nothing instead of {"id":9,"author":"eve","text":"made up","revision":0}`
        ]
      ])
      expect(yield* rows).toEqual(right)
    }).pipe(Effect.provide(running()))
  )

  it.live("loses nothing and fails no read while events are appended and requests read", () =>
    Effect.gen(function* () {
      yield* seed(2_000)
      const store = yield* EventStore
      const projections = yield* Projections
      let [id, reads] = [10_000, 0]
      const writing = Effect.gen(function* () {
        id++
        const { position } = yield* store.append(`note-${id}`, "noStream", [written(id, "a"), changed(id, "b"), removed(id - 1)])
        yield* projections.awaitPosition(position)
        const shown = yield* Sql.use(({ client }) => query(() => client`select text from rm_notes.notes where id = ${id}`))
        expect(shown).toEqual([{ text: "b" }])
        reads++
      })
      const load = yield* Effect.forkChild(Effect.forever(writing))
      for (let round = 0; round < 3 || reads < 20; round++) {
        expect(yield* rebuilt).toMatchObject({ state: "finished", differing: 0, error: null })
      }
      yield* Fiber.interrupt(load)
      yield* projections.awaitPosition(yield* store.head)
      expect((yield* rows).length).toBe(2_000 + 1)
    }).pipe(Effect.provide(running()))
  )

  it.live("compares at a position that both have reached, also when the live tables lag behind the log", () =>
    Effect.gen(function* () {
      yield* seed(3)
      const { id, letGo, position } = yield* heldUp
      yield* letGo
      expect(yield* outcome(id)).toMatchObject({ state: "finished", differing: 0, position })
      expect((yield* rows).length).toBe(4)
    }).pipe(Effect.scoped, Effect.provide(running()))
  )

  it.live("goes on under the next leader when the one that began it is lost", () =>
    Effect.gen(function* () {
      yield* seed(3)
      const { id, letGo, position } = yield* heldUp
      const { client } = yield* Sql
      const leader = query(async () => {
        const [row] = await client<Array<{ pid: number }>>`
          select pid from pg_locks where locktype = 'advisory' and granted and objid::bigint = hashtext('chronoforge.projector')::bigint & 4294967295
            and database = (select oid from pg_database where datname = current_database())`
        return row?.pid
      })
      const first = yield* leader
      expect(first).toBeTypeOf("number")
      yield* query(() => client`select pg_terminate_backend(${first ?? 0})`)
      yield* Effect.repeat(leader, {
        until: (pid) => pid !== undefined && pid !== first,
        schedule: Schedule.spaced("10 millis")
      })
      yield* letGo
      // The first leader had replayed all there was.
      expect(yield* outcome(id)).toMatchObject({ state: "finished", events: 7, differing: 0, position })
      expect((yield* rows).length).toBe(4)
    }).pipe(Effect.scoped, Effect.provide(running()))
  )

  it.live("that is cancelled on its way goes on from there when it is asked for again", () =>
    Effect.gen(function* () {
      // More than the first page of a rebuild: it looks whether it is cancelled after each.
      const head = yield* seed(6_000)
      const [asked] = yield* Sql.use(({ client }) =>
        query(
          () => client<Array<{ id: number }>>`
            with asked as (insert into chronoforge.rebuilds (read_models, cancel_requested) values ('{notes}', true) returning id)
            select id, pg_notify('chronoforge_rebuilds', id::text) from asked`
        )
      )
      expect(yield* outcome(asked?.id ?? 0)).toMatchObject({
        state: "cancelled",
        events: 1_000,
        position: 1_000,
        differing: null
      })
      expect(yield* rebuilt).toMatchObject({ state: "finished", events: 12_000, position: head, differing: 0 })
    }).pipe(Effect.provide(running()))
  )

  it.live("that fails says why and leaves the live tables as they were", () =>
    Effect.gen(function* () {
      yield* seed(3)
      const before = yield* rows
      yield* Sql.use(({ client }) => query(() => client`create schema rm_notes_next create view notes as select 1 as id`))
      yield* Sql.use(({ client }) => query(() => client`insert into chronoforge.read_models values ('notes', 'next', 1, 0)`))
      const progress = yield* rebuilt
      expect(progress).toMatchObject({
        state: "failed",
        error: 'column "author" of relation "notes" does not exist'
      })
      expect(yield* rows).toEqual(before)
    }).pipe(Effect.provide(running()))
  )

  it.live("gives way to who still reads the old tables, and removes them then", () =>
    Effect.gen(function* () {
      yield* seed(3)
      const { client } = yield* Sql
      const reader = yield* Effect.acquireRelease(
        query(() => client.reserve()),
        (it) => Effect.sync(() => it.release())
      )
      yield* query(() => reader`begin`)
      yield* query(() => reader`select from rm_notes.notes`)
      const id = yield* Projections.use((projections) => projections.requestRebuild(["notes"]))
      const attempts = new Set<string>()
      const look = query(
        () => client<Array<{ started: string }>>`select waitstart::text as started from pg_locks
          where not granted and waitstart is not null and relation = to_regclass('rm_notes_old.notes')`
      )
      const isTriedAgain = Effect.map(look, (waiting) => {
        for (const { started } of waiting) attempts.add(started)
        return attempts.size > 1
      })
      yield* Effect.repeat(isTriedAgain, { until: (is) => is, schedule: Schedule.spaced("10 millis") })
      yield* query(() => reader`commit`)
      expect(yield* outcome(id)).toMatchObject({ state: "finished", differing: 0, error: null })
      expect(yield* query(() => client`select from pg_namespace where nspname = 'rm_notes_old'`)).toHaveLength(0)
    }).pipe(Effect.scoped, Effect.provide(running()))
  )
})
