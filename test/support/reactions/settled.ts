import { Effect } from "effect"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Projections } from "#src/platform/Projections.ts"

/** Waits until the read models show everything that is in the log. */
export const settled = Effect.gen(function* () {
  const head = yield* EventStore.use((store) => store.head)
  yield* Projections.use((projections) => projections.awaitPosition(head))
})
