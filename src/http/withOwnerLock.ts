import { Effect } from "effect"
import { EventStore } from "../platform/eventStore/EventStore.ts"
import { OwnerLock } from "../platform/OwnerLock.ts"
import { Projections } from "../platform/Projections.ts"
import { serviceUnavailable } from "./answer/errors.ts"

/** Waits until the read models show all that is in the log by now. At most 10 seconds, then 503: nothing was written. */
const awaitHead = Effect.gen(function* () {
  const [store, projections] = [yield* EventStore, yield* Projections]
  const head = yield* store.head
  const lagging = serviceUnavailable("503 Service Unavailable - the read models lag behind, so owners cannot be counted now", 1)
  yield* Effect.mapError(projections.awaitPosition(head), () => lagging)
})

/**
 * Runs a change that asks the read models first who else owns something or is administrator. They show all that others changed with
 * the lock, and nobody changes it meanwhile.
 */
export const withOwnerLock = <A, E, R>(change: Effect.Effect<A, E, R>) =>
  OwnerLock.use((owners) => owners.withLock(Effect.andThen(awaitHead, change)))
