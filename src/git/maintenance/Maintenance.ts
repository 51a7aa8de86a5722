import { Cause, Context, Effect, Exit, Layer, Option } from "effect"
import { Contributors } from "../contributors/Contributors.ts"
import { CommitGraphs } from "../history/CommitGraphs.ts"
import { type GitFailed, isThere, type Repository } from "../Repository.ts"
import { RepositoryTasks, type ScheduledTask } from "../RepositoryTasks.ts"
import { headCommit } from "../refs/headCommit.ts"
import { PushLocks } from "../refs/pushLocks.ts"
import { noteExceeded, removeExceededNote } from "./exceededNote.ts"
import { type MaintenanceTask, maintenanceNeeds, stateOf } from "./needs.ts"
import { runTasks } from "./runTasks.ts"
import { removeStaleFiles } from "./staleFiles.ts"
import { maintenanceTasks } from "./tasks.ts"

/**
 * Maintains repositories: commit-graph, packs, refs and the counts of contributors. It handles one repository at a time, some time
 * after its last push, and during pushes only where they never pause.
 */
export class Maintenance extends Context.Service<
  Maintenance,
  {
    /** Runs a push; maintenance waits for its end. */
    readonly withPush: <A, E, R>(repository: Repository, push: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Maintains a repository now; answers the steps that were done. */
    readonly maintain: (repository: Repository) => Effect.Effect<ReadonlyArray<MaintenanceTask>, GitFailed>
    /** Performs due maintenance for ever. Several processes may do so: one at a time maintains a repository. */
    readonly run: Effect.Effect<never>
  }
>()("chronoforge/git/Maintenance") {
  static readonly layer: Layer.Layer<Maintenance, never, CommitGraphs | Contributors | PushLocks | RepositoryTasks> =
    Layer.effect(
      Maintenance,
      Effect.suspend(() => make())
    )
}

/** One step may take this many milliseconds. */
const timeLimit = 2 * 3_600_000
const nothingStale = { nextCheckMillis: undefined, removed: [] }
/**
 * Failed maintenance is retried after this many milliseconds, unless somebody pushes before. What exceeded a limit would do so again: that
 * waits for the next push.
 */
const failureDelayMillis = 24 * 3_600_000

/** The limit that maintenance exceeded. */
const exceededIn = (exit: Exit.Exit<unknown, GitFailed>): GitFailed["exceeded"] =>
  Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause))?.exceeded : undefined

const make = Effect.fnUntraced(function* () {
  const [contributors, graphs, locks] = [yield* Contributors, yield* CommitGraphs, yield* PushLocks]
  const tasks = yield* RepositoryTasks
  const steps = maintenanceTasks({ graphs, locks }, { timeLimit })
  /** The number of running pushes by the path of the repository. */
  const pushes = new Map<string, number>()

  /**
   * Counts the contributors of the default branch. The first time, the whole history is read. What came to a limit is noted with the
   * counts, and not tried again for the same commit.
   */
  const count = Effect.fnUntraced(
    function* (counted: ScheduledTask) {
      const { repository } = counted
      if (yield* isThere(repository)) {
        const tip = yield* headCommit(repository)
        if (tip !== undefined) yield* contributors.count(repository, tip)
      }
    },
    Effect.catchCause((cause) => Effect.logWarning("Contributors could not be counted", cause)),
    (counting, counted) => Effect.andThen(counting, tasks.complete("count", counted))
  )

  const perform = Effect.fnUntraced(function* (repository: Repository) {
    const needs = maintenanceNeeds(yield* stateOf(repository, true))
    for (const need of needs) yield* steps[need](repository)
    yield* tasks.schedule("count", repository)
    return needs
  })

  /** Maintains a repository whose maintenance lock this process holds, and completes the task. */
  const maintain = Effect.fnUntraced(function* (repository: Repository, scheduled: ScheduledTask | undefined) {
    // The project may have been deleted meanwhile.
    const isGone = !(yield* isThere(repository))
    const { nextCheckMillis, removed } = isGone ? nothingStale : yield* removeStaleFiles(repository)
    if (removed.length > 0) yield* Effect.logWarning(`Removed stale files of killed processes: ${removed.join(", ")}`)
    const exit = yield* isGone ? Effect.succeed(Exit.succeed([])) : Effect.exit(perform(repository))
    const exceeded = exceededIn(exit)
    yield* exceeded === undefined ? removeExceededNote(repository) : noteExceeded(repository, exceeded)
    const isDone = Exit.isSuccess(exit) || exceeded !== undefined
    const delay = nextCheckMillis ?? (isDone ? undefined : failureDelayMillis)
    if (scheduled !== undefined)
      yield* delay === undefined ? tasks.complete("maintain", scheduled) : tasks.postpone("maintain", scheduled, delay)
    return yield* exit
  })

  const maintainDue = (scheduled: ScheduledTask) =>
    maintain(scheduled.repository, scheduled).pipe(
      Effect.asVoid,
      Effect.catchCause((cause) => Effect.logWarning("A repository could not be maintained", cause))
    )

  const countPush = ({ path }: Repository) => Effect.sync(() => pushes.set(path, (pushes.get(path) ?? 0) + 1))
  const uncountPush = ({ path }: Repository) =>
    Effect.sync(() => {
      const left = (pushes.get(path) ?? 1) - 1
      if (left > 0) pushes.set(path, left)
      else pushes.delete(path)
    })

  return Maintenance.of({
    withPush: (repository, push) =>
      Effect.acquireUseRelease(
        countPush(repository),
        // The task finds the stale files of a push that is killed before refs move.
        () => Effect.andThen(tasks.schedule("maintain", repository), push),
        () => uncountPush(repository)
      ),
    maintain: (repository) =>
      locks.withMaintenanceLock(
        repository,
        Effect.flatMap(tasks.find("maintain", repository), (scheduled) => maintain(repository, scheduled))
      ),
    run: Effect.raceFirst(
      runTasks("maintain", (task) =>
        pushes.has(task.repository.path) && !task.isLate ? tasks.schedule("maintain", task.repository) : maintainDue(task)
      ),
      runTasks("count", count)
    ).pipe(Effect.provideService(PushLocks, locks), Effect.provideService(RepositoryTasks, tasks))
  })
})
