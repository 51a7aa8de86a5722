import { Effect } from "effect"
import { CurrentWork } from "../../platform/work/CurrentWork.ts"
import { FairQueue, type FairQueueOptions, TooBusy } from "../../platform/work/FairQueue.ts"
import { leaveRequestPlace } from "../../platform/work/RequestPlaces.ts"
import type { Repository } from "../Repository.ts"

/** Runs an effect in its turn among those for the same ref. It is told whether others had theirs meanwhile, so that what they may have changed is judged again. */
export type InRefTurn = <A, E, R>(
  repository: Repository,
  ref: string,
  use: (isLate: boolean) => Effect.Effect<A, E, R>
) => Effect.Effect<A, E, R>

interface Turns {
  readonly queue: FairQueue
  users: number
  /** How many have had their turn. */
  ended: number
}

/** Turns only spare work, so whoever would wait longer, or behind more, goes on without one. */
const places = { concurrency: 1, maxQueued: 256, timeoutMillis: 30_000 }

/**
 * Turns of what plans to move a ref from where it is, within a process, callers by turns: so that nothing is planned for a tip that another one
 * is about to move. Not to be nested for one ref.
 */
export const makeRefTurns = (options: FairQueueOptions = places): InRefTurn => {
  const turnsOf = new Map<string, Turns>()
  const acquire = (key: string): Turns => {
    const turns = turnsOf.get(key) ?? { queue: new FairQueue(options), users: 0, ended: 0 }
    turnsOf.set(key, turns)
    turns.users++
    return turns
  }
  const release = (key: string, turns: Turns) => {
    turns.users--
    if (turns.users === 0) turnsOf.delete(key)
  }
  const waiting = Effect.fnUntraced(function* <A, E, R>(turns: Turns, use: (isLate: boolean) => Effect.Effect<A, E, R>) {
    const { caller } = yield* CurrentWork
    const { ended, queue } = turns
    let hasBegun = false
    const begin = Effect.suspend(() => {
      hasBegun = true
      return use(turns.ended > ended)
    })
    const end = Effect.sync(() => {
      turns.ended++
    })
    if (queue.running > 0) yield* leaveRequestPlace
    return yield* queue.run({ caller }, Effect.ensuring(begin, end)).pipe(
      Effect.catchIf(
        (error): error is TooBusy => error instanceof TooBusy && !hasBegun,
        () => use(true)
      )
    )
  })
  return ({ path }, ref, use) => {
    const key = `${path} ${ref}`
    return Effect.acquireUseRelease(
      Effect.sync(() => acquire(key)),
      (turns) => waiting(turns, use),
      (turns) => Effect.sync(() => release(key, turns))
    )
  }
}
