import { lookup } from "node:dns/promises"
import { Effect } from "effect"
import { CurrentWork } from "../../platform/work/CurrentWork.ts"
import { FairQueue, type FairQueueOptions } from "../../platform/work/FairQueue.ts"

/** Node looks up two names at a time, each for as long as the server of the name wants: one of them is left to others than one caller. */
const places: FairQueueOptions = {
  concurrency: 2,
  perCaller: 1,
  maxQueued: 200,
  maxQueuedPerCaller: 20,
  timeoutMillis: 30_000
}

/** The addresses of a host name; none when it has none. */
type Resolve = (host: string) => Effect.Effect<ReadonlyArray<string>>

/** Looks names up by turns of callers. No turn is a defect, answered as 503. */
export const resolveInTurns = (addressesOf: (host: string) => Promise<ReadonlyArray<string>>): Resolve => {
  const queue = new FairQueue(places)
  return Effect.fnUntraced(function* (host) {
    const { caller } = yield* CurrentWork
    // Who goes away does not get the place back before the look-up is over.
    const addresses = Effect.uninterruptible(
      Effect.promise(() =>
        addressesOf(host).then(
          (found) => found,
          () => []
        )
      )
    )
    return yield* Effect.orDie(queue.run({ caller }, addresses))
  })
}

export const lookUp = async (host: string): Promise<ReadonlyArray<string>> =>
  (await lookup(host, { all: true })).map(({ address }) => address)
