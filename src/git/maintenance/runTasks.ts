import { Cause, Effect, Option } from "effect"
import { type PendingTask, RepositoryTasks } from "../RepositoryTasks.ts"
import { type MaintenanceKind, PushLocks } from "../refs/pushLocks.ts"

/** This many tasks are read at a time, which is more than there are processes. */
const batchSize = 16
/** Tasks that other processes scheduled and left are looked for after this many milliseconds. */
const pollMillis = 10_000
/** The delay in milliseconds when other processes are at all due tasks. */
const busyDelayMillis = 1_000
/** The delay in milliseconds after a failure of the database. */
const failureDelayMillis = 10_000

/** Performs due tasks of a kind one after the other, for ever. `perform` has to complete or postpone the task. */
export const runTasks = Effect.fnUntraced(function* (kind: MaintenanceKind, perform: (task: PendingTask) => Effect.Effect<void>) {
  const [locks, tasks] = [yield* PushLocks, yield* RepositoryTasks]
  const { after } = tasks.delays[kind]

  /** Sleeps until a task with this wait is due. A task that is scheduled meanwhile is due later, unless the wait is long. */
  const sleepUntilDue = (wait: number) =>
    wait <= after
      ? Effect.sleep(wait)
      : Effect.timeoutOrElse(Effect.andThen(tasks.awaitScheduled(kind), Effect.sleep(after)), {
          duration: Math.min(wait, pollMillis),
          orElse: () => Effect.void
        })

  /** Tries to perform a task; false when another process is at it. A task that was completed meanwhile is not repeated. */
  const tryPerform = ({ repository }: PendingTask) =>
    locks
      .tryWithMaintenanceLock(
        kind,
        repository,
        Effect.flatMap(tasks.find(kind, repository), (task) =>
          task === undefined || task.wait > 0 ? Effect.void : perform(task)
        )
      )
      .pipe(Effect.map(Option.isSome))

  const step = Effect.gen(function* () {
    const first = yield* tasks.next(kind, batchSize)
    const due = first.filter(({ wait }) => wait <= 0)
    if (due.length === 0) return yield* sleepUntilDue(first[0]?.wait ?? pollMillis)
    for (const task of due) if (yield* tryPerform(task)) return
    yield* Effect.sleep(busyDelayMillis)
  })
  const steps = Effect.catchCauseIf(
    Effect.forever(step),
    (cause) => !Cause.hasInterruptsOnly(cause),
    (cause) => Effect.logWarning("The maintenance of repositories failed and will be retried", cause)
  )
  return yield* Effect.forever(Effect.andThen(steps, Effect.sleep(failureDelayMillis)))
})
