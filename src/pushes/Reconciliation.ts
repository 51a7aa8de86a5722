import { Context, Effect, FiberMap, Layer, Schedule, Semaphore } from "effect"
import { Repositories } from "../git/Repositories.ts"
import { RepositoryTasks } from "../git/RepositoryTasks.ts"
import { beginMoves } from "../git/refs/trackMoves.ts"
import { reconcileProject } from "./reconcileProject.ts"

/** Makes the log agree with repositories whose refs moved while it could not be written. */
export class Reconciliation extends Context.Service<
  Reconciliation,
  {
    /** Reconciles in the background, and retries until it succeeds or the service ends. It may be called while the refs are locked. */
    readonly schedule: (projectId: number) => Effect.Effect<void>
    /** Answers whether this process is at it, or will try again. */
    readonly isPending: (projectId: number) => Effect.Effect<boolean>
  }
>()("chronoforge/pushes/Reconciliation") {
  static readonly layer = Layer.effect(
    Reconciliation,
    Effect.gen(function* () {
      /** There is one fiber for each project; a new call restarts it, so that nothing that moved since is missed. */
      const running = yield* FiberMap.make<number>()
      const semaphore = yield* Semaphore.make(maxConcurrent)
      const services = yield* Effect.context<Needed>()
      const untilDone = Effect.fnUntraced(function* (projectId: number) {
        const once = Effect.sandbox(semaphore.withPermit(Effect.andThen(ensureScheduled(projectId), reconcileProject(projectId))))
        const logFailure = (cause: unknown) => Effect.logWarning(`Refs of project ${projectId} are not recorded yet`, cause)
        // The failure is logged once, because a damaged repository fails until somebody repairs it.
        yield* Effect.catch(once, (cause) => Effect.andThen(logFailure(cause), Effect.retry(once, retrySchedule)))
      }, Effect.provide(services))
      return Reconciliation.of({
        schedule: (projectId) => Effect.asVoid(FiberMap.run(running, projectId, untilDone(projectId))),
        isPending: (projectId) => FiberMap.has(running, projectId)
      })
    })
  )
}

/** Notes the task where nobody has, so that the next start goes on with it. */
const ensureScheduled = Effect.fnUntraced(function* (projectId: number) {
  const repository = (yield* Repositories).of(projectId)
  const noted = yield* RepositoryTasks.use((tasks) => tasks.find("record", repository))
  if (noted === undefined) yield* beginMoves(repository)
})

type Needed = Effect.Services<ReturnType<typeof ensureScheduled> | ReturnType<typeof reconcileProject>>

/** At most this many projects are reconciled at a time, because an unavailable log leaves many. */
const maxConcurrent = 4

/** The delays between two attempts. */
const retrySchedule = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("30 seconds")])
