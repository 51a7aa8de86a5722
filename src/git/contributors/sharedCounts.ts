import { Effect, Fiber, type Scope } from "effect"
import { makeKeyedLock } from "../../platform/keyedLock.ts"
import type { Company } from "../../platform/work/Company.ts"
import { CurrentWork, joinCompany, sharedWork } from "../../platform/work/CurrentWork.ts"
import { leaveRequestPlace } from "../../platform/work/RequestPlaces.ts"
import type { Repository } from "../Repository.ts"

/** How far a count is. */
export interface Progress {
  /** When its commits began to be read, in milliseconds since 1970. */
  startedAt: number
  counted: number
  total: number
}

/** The seconds that it still takes if it goes on like that; undefined where nothing is counted yet. */
export const secondsLeft = ({ counted, startedAt, total }: Progress, now: number): number | undefined =>
  counted === 0 ? undefined : Math.max(1, Math.ceil((((now - startedAt) / counted) * (total - counted)) / 1000))

interface Count<A, E> {
  readonly fiber: Fiber.Fiber<A, E>
  readonly progress: Progress
  readonly company: Company
  hasBegun: boolean
  askers: number
}

/** Counts that all share who ask for the same commit. */
export interface SharedCounts<A, E> {
  /**
   * Waits for the count of a commit, which is begun unless somebody else asked for it already. Of a repository one is done at a time. What
   * has begun goes on to its end, also without askers; what has not is given up with its last.
   */
  readonly join: (
    repository: Repository,
    commit: string,
    work: (progress: Progress) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E>
  /** How far the count of a commit is; undefined where none has begun. */
  readonly progress: (repository: Repository, commit: string) => Progress | undefined
}

const keyOf = ({ path }: Repository, commit: string) => `${path} ${commit}`

/** The counts end with the scope. */
export const makeSharedCounts = <A, E>(scope: Scope.Scope): SharedCounts<A, E> => {
  const counts = new Map<string, Count<A, E>>()
  const withLock = makeKeyedLock()

  const begin = Effect.fnUntraced(function* (
    repository: Repository,
    key: string,
    work: (progress: Progress) => Effect.Effect<A, E>
  ) {
    const progress: Progress = { startedAt: 0, counted: 0, total: 0 }
    const working = Effect.suspend(() => {
      count.hasBegun = true
      return work(progress)
    })
    const remove = Effect.sync(() => {
      if (counts.get(key) === count) counts.delete(key)
    })
    const shared = yield* sharedWork
    const inTurn = Effect.provideService(withLock(repository.path, working), CurrentWork, shared)
    const all = Effect.ensuring(Effect.andThen(Effect.yieldNow, inTurn), remove)
    const fiber = yield* Effect.forkIn(Effect.interruptible(all), scope)
    const count: Count<A, E> = { fiber, progress, company: shared.company, hasBegun: false, askers: 0 }
    counts.set(key, count)
    return count
  })

  const enter = Effect.fnUntraced(function* (
    repository: Repository,
    commit: string,
    work: (progress: Progress) => Effect.Effect<A, E>
  ) {
    const key = keyOf(repository, commit)
    const count = counts.get(key) ?? (yield* begin(repository, key, work))
    count.askers++
    yield* joinCompany(count.company)
    return count
  })

  const leave = (key: string, count: Count<A, E>) =>
    Effect.suspend(() => {
      count.askers--
      if (count.askers > 0 || count.hasBegun) return Effect.void
      if (counts.get(key) === count) counts.delete(key)
      return Fiber.interrupt(count.fiber)
    })

  return {
    join: (repository, commit, work) =>
      Effect.acquireUseRelease(
        enter(repository, commit, work),
        ({ fiber }) => Effect.andThen(leaveRequestPlace, Fiber.join(fiber)),
        (count) => leave(keyOf(repository, commit), count)
      ),
    progress: (repository, commit) => {
      const count = counts.get(keyOf(repository, commit))
      return count?.hasBegun === true ? count.progress : undefined
    }
  }
}
