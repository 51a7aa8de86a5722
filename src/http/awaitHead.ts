import { Effect } from "effect"
import { EventStore } from "../platform/eventStore/EventStore.ts"
import { Projections } from "../platform/Projections.ts"
import { serviceUnavailable } from "./answer/errors.ts"

/**
 * Waits until the read models show all that is in the log by now. At most 10 seconds, then 503, which says what cannot be done:
 * nothing was written.
 */
export const awaitHead = Effect.fnUntraced(function* (consequence: string) {
  const [store, projections] = [yield* EventStore, yield* Projections]
  const head = yield* store.head
  const lagging = serviceUnavailable(`503 Service Unavailable - the read models lag behind, so ${consequence} now`, 1)
  yield* Effect.mapError(projections.awaitPosition(head), () => lagging)
})
