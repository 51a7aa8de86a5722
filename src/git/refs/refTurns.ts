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

/** Turns of what plans to move a ref from where it is, within a process. */
export interface RefTurns {
  readonly inRefTurn: InRefTurn
  /** Waits until nobody is about to move the ref, but no longer than five seconds. */
  readonly whenCalm: (repository: Repository, ref: string) => Effect.Effect<void>
}

interface Turns {
  readonly queue: FairQueue
  /** Who is told when nobody has or wants a turn any more. */
  readonly calm: Set<() => void>
  users: number
  /** How many have had their turn. */
  ended: number
}

/** Turns only spare work, so whoever would wait longer, or behind more, goes on without one. */
const places = { concurrency: 1, maxQueued: 256, timeoutMillis: 30_000 }
const maxCalmWait = "5 seconds"

const keyOf = ({ path }: Repository, ref: string): string => `${path} ${ref}`

/**
 * Makes turns, which callers have by turns, so that nothing is planned for a tip that another one is about to move. They are not to be nested
 * for one ref.
 */
export const makeRefTurns = (options: FairQueueOptions = places): RefTurns => {
  const turnsOf = new Map<string, Turns>()
  const acquire = (key: string): Turns => {
    const turns = turnsOf.get(key) ?? { queue: new FairQueue(options), calm: new Set<() => void>(), users: 0, ended: 0 }
    turnsOf.set(key, turns)
    turns.users++
    return turns
  }
  const release = (key: string, turns: Turns) => {
    turns.users--
    if (turns.users > 0) return
    turnsOf.delete(key)
    for (const tell of turns.calm) tell()
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
  const inRefTurn: InRefTurn = (repository, ref, use) => {
    const key = keyOf(repository, ref)
    return Effect.acquireUseRelease(
      Effect.sync(() => acquire(key)),
      (turns) => waiting(turns, use),
      (turns) => Effect.sync(() => release(key, turns))
    )
  }
  const calm = (key: string) =>
    Effect.callback<void>((resume) => {
      const turns = turnsOf.get(key)
      if (turns === undefined) return resume(Effect.void)
      const tell = () => resume(Effect.void)
      turns.calm.add(tell)
      return Effect.sync(() => turns.calm.delete(tell))
    })
  return {
    inRefTurn,
    whenCalm: (repository, ref) => Effect.asVoid(Effect.timeoutOption(calm(keyOf(repository, ref)), maxCalmWait))
  }
}
