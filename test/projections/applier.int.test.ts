import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { Applier } from "#projections/Applier.ts"
import { createGeneration, createIndexes } from "#projections/generations.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { layerPostgres } from "#src/platform/eventStore/postgres.ts"
import { makeClient } from "#src/platform/sql/client.ts"
import { query, Sql, transact } from "#src/platform/sql/Sql.ts"
import { databaseLayer } from "#test/support/database.ts"
import { authorRemoved, changed, notesReadModel, removed, written } from "./sample.ts"

it.live("all rows are found by indexes, however few there were when the statements were planned", () =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const { url } = yield* Sql
    // What a connection counts is told to others later, and by itself to nobody but when it is asked to.
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => makeClient(url, { connections: 1, name: "test" })),
      (it) => Effect.promise(() => it.end())
    )
    yield* query(() =>
      transact(client, async (tx) => {
        await createGeneration(tx, notesReadModel, "live")
        await createIndexes(tx, notesReadModel, "live")
      })
    )
    const scans = query(async () => {
      await client`select pg_stat_force_next_flush()`
      const [row] = await client<Array<{ scans: number }>>`
        select seq_scan as scans from pg_stat_user_tables where schemaname = 'rm_notes'`
      return row?.scans
    })
    const before = yield* scans
    const applier = new Applier(client, "live", [[notesReadModel, 0]])
    const events = [written(1, "a"), written(2, "b", "bob"), changed(1, "c"), removed(1), authorRemoved("bob")]
    for (const [index, event] of events.entries()) {
      yield* store.append("note-1", index === 0 ? "noStream" : "any", [event])
      const batch = yield* store.readAll(applier.position, 10)
      yield* query(() => applier.apply(batch))
    }
    expect(yield* scans).toBe(before)
    expect([...(yield* query(() => client`select * from rm_notes.notes`))]).toEqual([])
  }).pipe(Effect.provide(layerPostgres.pipe(Layer.provideMerge(databaseLayer), Layer.fresh)), Effect.scoped)
)
