import { Effect } from "effect"
import { EventStore } from "../../platform/eventStore/EventStore.ts"
import { Projections } from "../../platform/Projections.ts"
import { badRequest, serviceUnavailable, type WireError } from "../answer/errors.ts"

const malformedPosition = badRequest("400 Bad request - If-Consistent-With is not a position")

const unknownPosition = badRequest("400 Bad request - If-Consistent-With names a position that the log does not have")

const awaitPosition = Effect.fnUntraced(function* (header: string) {
  const position = Number(header)
  // A position is answered only after it is in the log, so that nobody may wait for a future one.
  if (position > (yield* EventStore.use((store) => store.head))) return yield* unknownPosition
  const projections = yield* Projections
  yield* projections
    .awaitPosition(position)
    .pipe(Effect.mapError(() => serviceUnavailable(`503 Service Unavailable - position ${header} is not yet shown`, 1)))
})

/** Waits until the read models show what `If-Consistent-With` names: a position that the caller was told, here or on another node. */
export const awaitConsistency = (header: string | undefined): Effect.Effect<void, WireError, EventStore | Projections> => {
  if (header === undefined) return Effect.void
  if (!/^\d{1,15}$/.test(header)) return Effect.fail(malformedPosition)
  return awaitPosition(header)
}
