import { Effect, Layer, Redacted } from "effect"
import { afterAll, expect, it } from "vitest"
import { load } from "#src/platform/Commands.ts"
import type { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { layerEventStoreDb } from "#src/platform/eventStore/eventStoreDb/eventStoreDb.ts"
import { layerPostgres } from "#src/platform/eventStore/postgres.ts"
import { LocalAggregates, makeLocalAggregates } from "#src/platform/LocalAggregates.ts"
import { databaseLayer } from "#test/support/database.ts"
import { startEventStoreDbServer } from "#test/support/eventStoreDbServer/EventStoreDbServer.ts"
import { count, counter } from "./counter.ts"

const server = await startEventStoreDbServer()
afterAll(server.stop)

const process = (store: Layer.Layer<EventStore>) =>
  Layer.build(
    Layer.merge(
      Layer.fresh(store),
      Layer.sync(LocalAggregates, () => makeLocalAggregates({ maxStates: 10, maxCharacters: 10_000 }))
    )
  )

const stores = {
  Postgres: Effect.map(Layer.build(databaseLayer), (sql) => layerPostgres.pipe(Layer.provide(Layer.succeedContext(sql)))),
  EventStoreDB: Effect.succeed(Layer.orDie(layerEventStoreDb(Redacted.make(server.url))))
}

it.each(["Postgres", "EventStoreDB"] as const)("64 commands of two processes to one stream are all handled, in %s", (kind) =>
  Effect.gen(function* () {
    const store = yield* stores[kind]
    const processes = [yield* process(store), yield* process(store)]
    const counts = processes.flatMap((each) => Array.from({ length: 32 }, () => Effect.provide(count(1), each)))
    const handled = yield* Effect.all(counts, { concurrency: "unbounded" })
    expect(handled.map(({ state }) => state).toSorted((one, other) => Number(one) - Number(other))).toEqual(
      Array.from({ length: 64 }, (_, index) => index + 1)
    )
    for (const each of processes) {
      expect(yield* Effect.provide(load(counter, "a"), each)).toEqual({ state: 64, revision: 63, position: expect.any(Number) })
    }
  }).pipe(Effect.scoped, Effect.runPromise)
)
