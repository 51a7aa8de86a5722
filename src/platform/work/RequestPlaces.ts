import { Context, Effect } from "effect"
import { cores } from "./cores.ts"
import { FairQueue, type TooBusy } from "./FairQueue.ts"

export const defaultAnonymousRequests = Math.max(8, 4 * cores)

/** Half of the places are for others than any one address; who waits longer than half a minute is told 503. */
export const makeRequestPlaces = (places: number): FairQueue =>
  new FairQueue({
    concurrency: places,
    perCaller: Math.max(1, Math.ceil(places / 2)),
    maxQueued: 1_000,
    maxQueuedPerCaller: 100,
    timeoutMillis: 30_000
  })

/** How many requests of those who have no token are answered at once: all together, so that many addresses take nothing from those who have one. */
export const RequestPlaces = Context.Reference<FairQueue>("chronoforge/platform/RequestPlaces", {
  defaultValue: () => makeRequestPlaces(defaultAnonymousRequests)
})

const CurrentRequestPlace = Context.Reference<Effect.Effect<void>>("chronoforge/platform/CurrentRequestPlace", {
  defaultValue: () => Effect.void
})

/** Answers a request of an address in its turn. */
export const inRequestPlace = <A, E, R>(address: string, answer: Effect.Effect<A, E, R>): Effect.Effect<A, E | TooBusy, R> =>
  Effect.flatMap(RequestPlaces, (places) =>
    places.runLeaving({ caller: address, subject: "" }, (leave) => Effect.provideService(answer, CurrentRequestPlace, leave))
  )

/**
 * Gives up the place of the request that is answered, if it has one: what waits for a process, or for work that others share, waits there in its
 * turn, and keeps nobody from short answers meanwhile.
 */
export const leaveRequestPlace: Effect.Effect<void> = Effect.flatten(CurrentRequestPlace)
