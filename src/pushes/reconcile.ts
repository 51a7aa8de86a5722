import { Effect, Schedule } from "effect"
import { Repositories } from "../git/Repositories.ts"
import { type PendingTask, RepositoryTasks } from "../git/RepositoryTasks.ts"
import { Reconciliation } from "./Reconciliation.ts"
import { reconcileProject } from "./reconcileProject.ts"

const check = Effect.fnUntraced(function* ({ repository }: PendingTask) {
  const [projectId, reconciliation] = [(yield* Repositories).idOf(repository), yield* Reconciliation]
  if (yield* reconciliation.isPending(projectId)) return
  yield* Effect.catchCause(reconcileProject(projectId), (cause) =>
    Effect.andThen(
      Effect.logWarning(`Refs of project ${projectId} could not be compared`, cause),
      reconciliation.schedule(projectId)
    )
  )
})

const checkAll = Effect.fnUntraced(function* (which: "pending" | "due") {
  const tasks = yield* RepositoryTasks.use(({ all }) => all("record", which))
  yield* Effect.forEach(tasks, check, { concurrency: 2, discard: true })
})

/**
 * Reconciles log and repositories where recording is scheduled, because a process ended in between. Run it at start; pushes may arrive
 * meanwhile.
 */
export const reconcile = checkAll("pending")

/** Does the same for what another process left, a minute after it began. */
export const reconcileDue = checkAll("due")

const attempt = Effect.catchCause((cause) => Effect.logWarning("Refs could not be compared with the log", cause))

/** Runs `reconcile`, then `reconcileDue` for ever. */
export const reconcileRegularly = Effect.andThen(
  attempt(reconcile),
  Effect.repeat(attempt(reconcileDue), Schedule.spaced("10 seconds"))
)
