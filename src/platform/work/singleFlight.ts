import { Effect, Fiber } from "effect"
import type { Company } from "./Company.ts"
import { CurrentWork, joinCompany, sharedWork } from "./CurrentWork.ts"
import { leaveRequestPlace } from "./RequestPlaces.ts"

/**
 * Callers that ask for the same key while it is being worked out get the answer of one run, which begins in the turn of any of them. It is
 * interrupted when the last of them leaves, and forgotten when it ends. Whoever waits for it keeps no request place.
 */
export const singleFlight = <A, E>(): ((key: string, work: Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
  interface Flight {
    readonly fiber: Fiber.Fiber<A, E>
    readonly company: Company
    callers: number
  }
  const flights = new Map<string, Flight>()
  const join = Effect.fnUntraced(function* (key: string, work: Effect.Effect<A, E>) {
    const running = flights.get(key)
    if (running !== undefined) {
      running.callers++
      yield* joinCompany(running.company)
      return running
    }
    const remove = Effect.sync(() => {
      if (flights.get(key)?.fiber === flight.fiber) flights.delete(key)
    })
    const shared = yield* sharedWork
    const all = Effect.provideService(Effect.andThen(Effect.yieldNow, work), CurrentWork, shared)
    const fiber = yield* Effect.forkDetach(Effect.interruptible(Effect.ensuring(all, remove)))
    const flight: Flight = { fiber, company: shared.company, callers: 1 }
    flights.set(key, flight)
    return flight
  })
  const leave = (key: string, flight: Flight) =>
    Effect.suspend(() => {
      if (--flight.callers > 0) return Effect.void
      if (flights.get(key) === flight) flights.delete(key)
      return Fiber.interrupt(flight.fiber)
    })
  return (key, work) =>
    Effect.acquireUseRelease(
      join(key, work),
      ({ fiber }) => Effect.andThen(leaveRequestPlace, Fiber.join(fiber)),
      (flight) => leave(key, flight)
    )
}
