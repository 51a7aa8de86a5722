import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Layer, ManagedRuntime } from "effect"
import { layerProjections } from "#projections/layer.ts"
import { uuidV7 } from "#src/kernel/uuid.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Projections } from "#src/platform/Projections.ts"
import { answerRounds } from "../answerRounds.ts"
import { added } from "../history.ts"
import { samples } from "./samples.ts"
import { storeAt } from "./store.ts"

const runtime = ManagedRuntime.make(Layer.provideMerge(layerProjections([samples]), storeAt(process.argv[2] ?? "")))
const { projections, store } = await runtime.runPromise(Effect.all({ projections: Projections, store: EventStore }))

/** Milliseconds from the moment at which the event was due to that at which the read model shows it. */
const show = async (due: number): Promise<number> => {
  const metadata = { actor: "user:1", commandId: uuidV7(), correlationId: uuidV7() }
  const { _tag: type, ...data } = added(0)
  const event = { id: uuidV7(), type, schemaVersion: 1, data, metadata }
  const appended = store.append(`sample-${event.id}`, "noStream", [event])
  await Effect.runPromise(Effect.flatMap(appended, ({ position }) => projections.awaitPosition(position)))
  return performance.now() - due
}

const percentile = (sorted: ReadonlyArray<number>, share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN

// `parallel` is the number of events a second, offered on time however long the earlier ones take.
answerRounds(async ({ millis, parallel }) => {
  const start = performance.now()
  const shown: Array<Promise<number>> = []
  while (performance.now() - start < millis) {
    while (shown.length * 1000 < (performance.now() - start) * parallel)
      shown.push(show(start + (shown.length * 1000) / parallel))
    await sleep(1)
  }
  const sorted = (await Promise.all(shown)).toSorted((a, b) => a - b)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
})
