import { Context, Duration, Effect, Layer, Queue } from "effect"
import { Contributors } from "../contributors/Contributors.ts"
import { contributorFiles } from "../contributors/cache.ts"
import { CommitGraphs } from "../history/CommitGraphs.ts"
import { runText } from "../process/run.ts"
import { type GitFailed, isThere, type Repository } from "../Repository.ts"
import { PushLocks } from "../refs/pushLocks.ts"
import { removeLeftovers } from "./leftovers.ts"
import { type MaintenanceTask, maintenanceNeeds, stateOf } from "./needs.ts"
import { maintenanceTasks } from "./tasks.ts"

/**
 * Keeps repositories fast: commit-graph, packs, refs, and contributors counted before anybody asks. One repository at a time, some time
 * after its last push, and beside pushes only where they never pause. What is needed is read from the repository, so what a kill
 * interrupts is done after the next start.
 */
export class Maintenance extends Context.Service<
  Maintenance,
  {
    /** Runs a push; maintenance waits for its end, and comes after it. */
    readonly pushing: <A, E, R>(repository: Repository, push: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** The repository has new objects by other ways. */
    readonly note: (repository: Repository) => Effect.Effect<void>
    /** Looks whether something was left undone, such as by a process that ended before it came to it. */
    readonly check: (repository: Repository) => Effect.Effect<void>
    /** Does now what the repository needs; answers what was done. */
    readonly maintain: (repository: Repository) => Effect.Effect<ReadonlyArray<MaintenanceTask>, GitFailed>
  }
>()("chronoforge/git/Maintenance") {
  static readonly layer = (
    options: Partial<MaintenanceOptions> = {}
  ): Layer.Layer<Maintenance, never, CommitGraphs | Contributors | PushLocks> =>
    Layer.effect(Maintenance, make({ ...defaultOptions, ...options }))
}

export interface MaintenanceOptions {
  /** Between the last push and maintenance. */
  readonly delay: Duration.Input
  /** For one step. */
  readonly timeLimit: Duration.Input
}

const defaultOptions: MaintenanceOptions = { delay: "10 seconds", timeLimit: "2 hours" }

/** A repository of which pushes never let it rest is maintained beside them after that many delays: git allows it. */
const maxDelays = 60

interface Due {
  readonly repository: Repository
  /** When to begin, and when to begin in spite of pushes: milliseconds since 1970. */
  readonly at: number
  readonly latest: number
}

const make = Effect.fnUntraced(function* ({ delay, timeLimit }: MaintenanceOptions) {
  const locks = yield* PushLocks
  const contributors = yield* Contributors
  const pushes = new Map<string, number>()
  const due = new Map<string, Due>()
  const wakeUps = yield* Queue.sliding<void>(1)
  const uncounted = yield* Queue.unbounded<Repository>()
  /** Their paths. */
  const queued = new Set<string>()
  const tasks = maintenanceTasks({ graphs: yield* CommitGraphs, locks }, { timeLimit: Duration.toMillis(timeLimit) })
  /** Of the default branch. The first time, the whole history is read: in a fiber of its own, so that nothing else waits for it. */
  const count = Effect.fnUntraced(
    function* (repository: Repository) {
      queued.delete(repository.path)
      const tip = yield* runText(repository, ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"], { statuses: [0, 1] })
      if (tip !== "") yield* contributors.of(repository, tip)
    },
    Effect.asVoid,
    Effect.catchCause((cause) => Effect.logWarning("Contributors could not be counted", cause))
  )
  const countSoon = (repository: Repository) =>
    Effect.sync(() => {
      if (queued.has(repository.path)) return
      queued.add(repository.path)
      Queue.offerUnsafe(uncounted, repository)
    })
  const look = Effect.fnUntraced(function* (repository: Repository) {
    // Its project may have been deleted meanwhile.
    if (!(yield* isThere(repository))) return []
    const removed = yield* removeLeftovers(repository)
    if (removed.length > 0) yield* Effect.logWarning(`Removed what killed processes left: ${removed.join(", ")}`)
    const needs = maintenanceNeeds(yield* stateOf(repository, true))
    for (const task of needs) yield* tasks[task](repository)
    yield* countSoon(repository)
    return needs
  })
  const work = (repository: Repository) => locks.holdUpkeep(repository, look(repository))
  const note = ({ path }: Repository) =>
    Effect.sync(() => {
      const [now, wait] = [Date.now(), Duration.toMillis(delay)]
      const latest = due.get(path)?.latest ?? now + maxDelays * wait
      due.set(path, { repository: { path }, at: Math.min(now + wait, latest), latest })
      Queue.offerUnsafe(wakeUps, undefined)
    })
  const step = Effect.fnUntraced(function* () {
    const starts = [...due].map(([path, entry]) => ({ ...entry, at: pushes.has(path) ? entry.latest : entry.at }))
    const [next] = starts.sort((one, other) => one.at - other.at)
    if (next === undefined) return yield* Queue.take(wakeUps)
    const wait = next.at - Date.now()
    if (wait > 0) return yield* Effect.race(Queue.take(wakeUps), Effect.sleep(wait))
    due.delete(next.repository.path)
    yield* work(next.repository).pipe(
      Effect.asVoid,
      Effect.catchCause((cause) => Effect.logWarning("A repository could not be maintained", cause))
    )
  })
  yield* Effect.forkScoped(Effect.forever(step()))
  yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(uncounted), count)))

  const enter = (path: string) => pushes.set(path, (pushes.get(path) ?? 0) + 1)
  const leave = (path: string) => {
    const left = (pushes.get(path) ?? 1) - 1
    if (left > 0) pushes.set(path, left)
    else pushes.delete(path)
  }
  return {
    note,
    check: Effect.fnUntraced(function* (repository: Repository) {
      if (maintenanceNeeds(yield* stateOf(repository, false)).length > 0) yield* note(repository)
      else if ((yield* contributorFiles.commits(repository)).length === 0) yield* countSoon(repository)
    }),
    maintain: work,
    pushing: <A, E, R>(repository: Repository, push: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        Effect.sync(() => enter(repository.path)),
        () => push,
        () =>
          Effect.andThen(
            Effect.sync(() => leave(repository.path)),
            note(repository)
          )
      )
  }
})
