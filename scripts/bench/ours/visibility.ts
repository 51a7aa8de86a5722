import { Effect, Layer, ManagedRuntime } from "effect"
import { layerProjections } from "#projections/layer.ts"
import { uuidV7 } from "#src/kernel/uuid.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Projections } from "#src/platform/Projections.ts"
import { added } from "../history.ts"
import { offeredSteps, serveRounds } from "../serveRounds.ts"
import { samples } from "./samples.ts"
import { storeAt } from "./store.ts"

const runtime = ManagedRuntime.make(
  Layer.provideMerge(layerProjections([samples]), storeAt(process.argv[2] ?? "", process.argv[3]))
)
const { projections, store } = await runtime.runPromise(Effect.all({ projections: Projections, store: EventStore }))

/** Appends an event, and waits until the read model shows it. */
const show = async (): Promise<void> => {
  const metadata = { actor: "user:1", commandId: uuidV7(), correlationId: uuidV7() }
  const { _tag: type, ...data } = added(0)
  const event = { id: uuidV7(), type, schemaVersion: 1, data, metadata }
  const appended = store.append(`sample-${event.id}`, "noStream", [event], { areNew: true })
  await Effect.runPromise(Effect.flatMap(appended, ({ position }) => projections.awaitPosition(position)))
}

// A long log is shown first.
await Effect.runPromise(
  store.head.pipe(
    Effect.flatMap((head) => projections.awaitPosition(head)),
    Effect.retry({ while: ({ _tag }) => _tag === "NotYetVisible" })
  )
)
serveRounds((round) => offeredSteps(round, show))
