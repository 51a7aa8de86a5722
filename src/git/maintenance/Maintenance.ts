import { Context, Effect, Exit, Layer } from "effect"
import { Contributors } from "../contributors/Contributors.ts"
import { CommitGraphs } from "../history/CommitGraphs.ts"
import { runText } from "../process/run.ts"
import { type GitFailed, isThere, type Repository } from "../Repository.ts"
import { PushLocks } from "../refs/pushLocks.ts"
import { removeLeftovers } from "./leftovers.ts"
import { type MaintenanceTask, maintenanceNeeds, stateOf } from "./needs.ts"
import { type Noted, RepositoryTasks } from "./RepositoryTasks.ts"
import { maintenanceTasks } from "./tasks.ts"
import { workOff } from "./workOff.ts"

/**
 * Keeps repositories fast: commit-graph, packs, refs, and contributors counted before anybody asks. One repository at a time, some time
 * after its last push, and beside pushes only where they never pause.
 */
export class Maintenance extends Context.Service<
  Maintenance,
  {
    /** Runs a push; maintenance waits for its end, and comes after it. */
    readonly pushing: <A, E, R>(repository: Repository, push: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Does now what the repository needs; answers what was done. */
    readonly maintain: (repository: Repository) => Effect.Effect<ReadonlyArray<MaintenanceTask>, GitFailed>
    /** Does what is due, for ever. Several processes may do so: each repository is maintained by one of them. */
    readonly run: Effect.Effect<never>
  }
>()("chronoforge/git/Maintenance") {
  static readonly layer: Layer.Layer<Maintenance, never, CommitGraphs | Contributors | PushLocks | RepositoryTasks> =
    Layer.effect(
      Maintenance,
      Effect.suspend(() => make())
    )
}

/** Milliseconds of one step. */
const timeLimit = 2 * 3_600_000
const nothingLeft = { again: undefined, removed: [] }
/** Milliseconds until maintenance that failed is tried again, unless somebody pushes before. */
const failurePause = 24 * 3_600_000

const make = Effect.fnUntraced(function* () {
  const [contributors, graphs, locks] = [yield* Contributors, yield* CommitGraphs, yield* PushLocks]
  const tasks = yield* RepositoryTasks
  const steps = maintenanceTasks({ graphs, locks }, { timeLimit })
  /** By the paths of repositories. */
  const pushes = new Map<string, number>()

  /** Of the default branch. The first time, the whole history is read. */
  const count = Effect.fnUntraced(
    function* (counted: Noted) {
      const { repository } = counted
      if (yield* isThere(repository)) {
        const tip = yield* runText(repository, ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"], { statuses: [0, 1] })
        if (tip !== "") yield* contributors.of(repository, tip)
      }
    },
    Effect.catchCause((cause) => Effect.logWarning("Contributors could not be counted", cause)),
    (counting, counted) => Effect.andThen(counting, tasks.done("count", counted))
  )

  const perform = Effect.fnUntraced(function* (repository: Repository) {
    const needs = maintenanceNeeds(yield* stateOf(repository, true))
    for (const need of needs) yield* steps[need](repository)
    yield* tasks.note("count", repository)
    return needs
  })

  /** Maintains a repository of which this process has the upkeep, and forgets that it was due. */
  const maintain = Effect.fnUntraced(function* (repository: Repository, noted: Noted | undefined) {
    // Its project may have been deleted meanwhile.
    const isGone = !(yield* isThere(repository))
    const { again, removed } = isGone ? nothingLeft : yield* removeLeftovers(repository)
    if (removed.length > 0) yield* Effect.logWarning(`Removed stale files of killed processes: ${removed.join(", ")}`)
    const exit = yield* isGone ? Effect.succeed(Exit.succeed([])) : Effect.exit(perform(repository))
    const pause = again ?? (Exit.isSuccess(exit) ? undefined : failurePause)
    if (noted !== undefined) yield* pause === undefined ? tasks.done("maintain", noted) : tasks.postpone("maintain", noted, pause)
    return yield* exit
  })

  const maintainDue = (noted: Noted) =>
    maintain(noted.repository, noted).pipe(
      Effect.asVoid,
      Effect.catchCause((cause) => Effect.logWarning("A repository could not be maintained", cause))
    )

  const enter = ({ path }: Repository) => Effect.sync(() => pushes.set(path, (pushes.get(path) ?? 0) + 1))
  const leave = ({ path }: Repository) =>
    Effect.sync(() => {
      const left = (pushes.get(path) ?? 1) - 1
      if (left > 0) pushes.set(path, left)
      else pushes.delete(path)
    })

  return Maintenance.of({
    pushing: (repository, push) =>
      Effect.acquireUseRelease(
        enter(repository),
        // What it leaves behind when it is killed before refs move is found by this.
        () => Effect.andThen(tasks.note("maintain", repository), push),
        () => leave(repository)
      ),
    maintain: (repository) =>
      locks.withMaintenanceLock(
        repository,
        Effect.flatMap(tasks.find("maintain", repository), (noted) => maintain(repository, noted))
      ),
    run: Effect.raceFirst(
      workOff("maintain", (task) =>
        pushes.has(task.repository.path) && !task.isLate ? tasks.note("maintain", task.repository) : maintainDue(task)
      ),
      workOff("count", count)
    ).pipe(Effect.provideService(PushLocks, locks), Effect.provideService(RepositoryTasks, tasks))
  })
})
