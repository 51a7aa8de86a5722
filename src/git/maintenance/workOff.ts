import { Cause, Effect, Option } from "effect"
import { PushLocks, type Upkeep } from "../refs/pushLocks.ts"
import { type OpenTask, RepositoryTasks } from "./RepositoryTasks.ts"

/** Tasks that are looked at together: more than processes that may be at one each. */
const glance = 16
/** Milliseconds after which it is looked for tasks that another process has noted, and left. */
const poll = 10_000
/** Milliseconds after which it is looked again where other processes are at everything that is due. */
const busyPause = 1_000
/** Milliseconds after which it goes on where the database failed. */
const failurePause = 10_000

/** Does tasks of a kind when they are due, one after the other, for ever. `perform` sees to it that the task is due no more. */
export const workOff = Effect.fnUntraced(function* (kind: Upkeep, perform: (task: OpenTask) => Effect.Effect<void>) {
  const [locks, tasks] = [yield* PushLocks, yield* RepositoryTasks]
  const { after } = tasks.delays[kind]

  /** Until a task of that wait is due. One that is noted meanwhile is due later than those before it, but for what waits long. */
  const rest = (wait: number) =>
    wait <= after
      ? Effect.sleep(wait)
      : Effect.raceFirst(Effect.sleep(Math.min(wait, poll)), Effect.andThen(tasks.awaitNote(kind), Effect.sleep(after)))

  /** False where another process is at it. What it has done by now is not done again. */
  const attempt = ({ repository }: OpenTask) =>
    locks
      .tryUpkeep(
        kind,
        repository,
        Effect.flatMap(tasks.find(kind, repository), (task) =>
          task === undefined || task.wait > 0 ? Effect.void : perform(task)
        )
      )
      .pipe(Effect.map(Option.isSome))

  const step = Effect.gen(function* () {
    const first = yield* tasks.next(kind, glance)
    const due = first.filter(({ wait }) => wait <= 0)
    if (due.length === 0) return yield* rest(first[0]?.wait ?? poll)
    for (const task of due) if (yield* attempt(task)) return
    yield* Effect.sleep(busyPause)
  })
  const steps = Effect.catchCause(Effect.forever(step), (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.failCause(cause)
      : Effect.logWarning("The maintenance of repositories failed and will be retried", cause)
  )
  return yield* Effect.forever(Effect.andThen(steps, Effect.sleep(failurePause)))
})
