import { it } from "@effect/vitest"
import { Context, Effect, Layer, Stream } from "effect"
import { expect } from "vitest"
import { uuidV7 } from "#src/kernel/uuid.ts"
import { EventStore, type NewEvent } from "#src/platform/eventStore/EventStore.ts"
import { layerPostgres } from "#src/platform/eventStore/postgres.ts"
import { connect } from "#src/platform/sql/connect.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import { databaseLayer } from "#test/support/database.ts"

const event = (): NewEvent => ({
  type: "Any",
  schemaVersion: 1,
  data: {},
  id: uuidV7(),
  metadata: { actor: "system:test", commandId: uuidV7(), correlationId: "test" }
})

/** Far less than the time after which a subscription looks for itself. */
const promptly = "3 seconds"
const rounds = 400

it.live("a subscription is told of what another process appends while this one is refused", () =>
  Effect.gen(function* () {
    const { url } = yield* Sql
    const ours = yield* EventStore
    const elsewhere = Layer.provide(Layer.fresh(layerPostgres), Layer.effect(Sql, Effect.orDie(connect(url, 2))))
    const others = Context.get(yield* Layer.build(elsewhere), EventStore)
    let seen = 0
    yield* Effect.forkScoped(
      Stream.runForEach(ours.subscribe(0), (item) =>
        Effect.sync(() => {
          if (item._tag === "Events") seen = item.events.at(-1)?.position ?? seen
        })
      )
    )
    const isSeen = (position: number) => Effect.repeat(Effect.yieldNow, { until: () => seen >= position })
    yield* ours.append("taken", "noStream", [event()])
    for (let round = 0; round < rounds; round++) {
      const refused = Effect.flip(ours.append("taken", "noStream", [event()]))
      const [{ position }] = yield* Effect.all([others.append(`new-${round}`, "noStream", [event()]), refused], {
        concurrency: 2
      })
      expect([round, yield* Effect.timeoutOption(isSeen(position), promptly)]).toMatchObject([round, { _tag: "Some" }])
    }
  }).pipe(Effect.provide(layerPostgres.pipe(Layer.provideMerge(databaseLayer), Layer.fresh)), Effect.scoped)
)
