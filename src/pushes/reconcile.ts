import { Effect, Schedule } from "effect"
import { type OpenTask, RepositoryTasks } from "../git/maintenance/RepositoryTasks.ts"
import { Repositories } from "../git/Repositories.ts"
import { Reconciliation } from "./Reconciliation.ts"
import { reconcileProject } from "./reconcileProject.ts"

const check = Effect.fnUntraced(function* ({ repository }: OpenTask) {
  const [projectId, reconciliation] = [(yield* Repositories).idOf(repository), yield* Reconciliation]
  if (yield* reconciliation.isPending(projectId)) return
  yield* Effect.catchCause(reconcileProject(projectId), (cause) =>
    Effect.andThen(Effect.logWarning(`Refs of project ${projectId} could not be compared`, cause), reconciliation.soon(projectId))
  )
})

/** There are fewer repositories than this. */
const all = 1_000_000_000

const checkAll = Effect.fnUntraced(function* (isMeant: (task: OpenTask) => boolean) {
  const noted = yield* RepositoryTasks.use((tasks) => tasks.next("record", all))
  yield* Effect.forEach(noted.filter(isMeant), check, { concurrency: 2, discard: true })
})

/**
 * Makes log and repositories agree where it is noted that they may not, because the process ended in between. To be run at start;
 * pushes may come in meanwhile.
 */
export const reconcile = checkAll(() => true)

/** Does the same with what another process has left, a minute after it began. */
export const reconcileDue = checkAll(({ wait }) => wait <= 0)

const attempt = Effect.catchCause((cause) => Effect.logWarning("Refs could not be compared with the log", cause))

/** Runs `reconcile`, then `reconcileDue` for ever. */
export const reconcileRegularly = Effect.andThen(
  attempt(reconcile),
  Effect.repeat(attempt(reconcileDue), Schedule.spaced("10 seconds"))
)
