import { Effect } from "effect"
import { Repositories } from "#src/git/Repositories.ts"
import { RepositoryTasks } from "#src/git/RepositoryTasks.ts"
import { reconcile } from "#src/pushes/reconcile.ts"

/** Records what was put into repositories behind the service's back, as if it had been pushed. */
export const reconcileAll = (ids: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const { of } = yield* Repositories
    yield* RepositoryTasks.use((tasks) => tasks.scheduleAll(ids.map(of)))
    yield* reconcile
  })
