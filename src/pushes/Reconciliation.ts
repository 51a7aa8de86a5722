import { Context, Effect, FiberMap, Layer, Schedule, Semaphore } from "effect"
import { RepositoryTasks } from "../git/maintenance/RepositoryTasks.ts"
import { Repositories } from "../git/Repositories.ts"
import { noteMoves } from "../git/refs/movingRefs.ts"
import { reconcileProject } from "./reconcileProject.ts"

/** Makes the log agree with repositories whose refs moved while it could not be written. */
export class Reconciliation extends Context.Service<
  Reconciliation,
  {
    /** Begins in the background, and tries again until it succeeds or the service ends. May be called while the refs are held. */
    readonly soon: (projectId: number) => Effect.Effect<void>
    /** Answers whether this process is at it, or will try again. */
    readonly isPending: (projectId: number) => Effect.Effect<boolean>
  }
>()("chronoforge/pushes/Reconciliation") {
  static readonly layer = Layer.effect(
    Reconciliation,
    Effect.gen(function* () {
      /** There is one fiber for each project; a new call restarts it, so that nothing that moved since is missed. */
      const running = yield* FiberMap.make<number>()
      const tries = yield* Semaphore.make(maxTries)
      const services = yield* Effect.context<Needed>()
      const untilDone = Effect.fnUntraced(function* (projectId: number) {
        const once = Effect.sandbox(tries.withPermit(Effect.andThen(ensureNoted(projectId), reconcileProject(projectId))))
        const tell = (cause: unknown) => Effect.logWarning(`Refs of project ${projectId} are not recorded yet`, cause)
        // Told once: a damaged repository fails until somebody mends it.
        yield* Effect.catch(once, (cause) => Effect.andThen(tell(cause), Effect.retry(once, pauses)))
      }, Effect.provide(services))
      return Reconciliation.of({
        soon: (projectId) => Effect.asVoid(FiberMap.run(running, projectId, untilDone(projectId))),
        isPending: (projectId) => FiberMap.has(running, projectId)
      })
    })
  )
}

/** Notes the task where nobody has, so that the next start goes on with it. */
const ensureNoted = Effect.fnUntraced(function* (projectId: number) {
  const repository = (yield* Repositories).of(projectId)
  const noted = yield* RepositoryTasks.use((tasks) => tasks.find("record", repository))
  if (noted === undefined) yield* noteMoves(repository)
})

type Needed = Effect.Services<ReturnType<typeof ensureNoted> | ReturnType<typeof reconcileProject>>

/** At most this many projects are reconciled at a time, because an unavailable log leaves many. */
const maxTries = 4

/** The delays between two attempts. */
const pauses = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("30 seconds")])
