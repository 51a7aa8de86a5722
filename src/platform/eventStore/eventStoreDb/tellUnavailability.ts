import { Clock, Effect } from "effect"
import { EventStoreUnavailable } from "../EventStore.ts"

/** After one line, it is silent for this many milliseconds. */
const silenceMillis = 10_000

/** Logs why the store is unavailable, however many calls fail for it at the same time: their callers are told only that it is. */
export const makeTeller = () => {
  let silentUntil = 0
  const tell = (defect: unknown) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (!(defect instanceof EventStoreUnavailable) || now < silentUntil) return Effect.void
      silentUntil = now + silenceMillis
      return Effect.logError(defect.message)
    })
  return <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => Effect.tapDefect(call, tell)
}
