import type { Readable } from "node:stream"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TakenBytes } from "../../platform/work/ByteBudget.ts"
import { CurrentWork } from "../../platform/work/CurrentWork.ts"
import type { TooBusy } from "../../platform/work/FairQueue.ts"
import { inPlace } from "../../platform/work/WorkPlaces.ts"
import { Spools } from "./Spools.ts"
import { Spool } from "./spool.ts"

/** What a process prints, as it is being printed; it is to be read to its end or destroyed, which ends the process. */
export interface Spooled<A, E> {
  readonly content: Readable
  /** What the process came to. */
  readonly end: Effect.Effect<A, E | TooBusy>
}

/** The first bytes of each content stay in memory, so that little needs no file. */
const memoryBytes = 256 * 1024
/** Where the disk takes no more of it, the process has to wait for its reader: 16 KiB a second, as an average of a minute. */
const leastRate = { bytesPerSecond: 16 * 1024, overMillis: 60_000 }

/**
 * What one client reads at its own pace, made at the pace of the process that prints it: the process has a place, and gives it back when it has
 * ended. `make` calls its second argument when the first bytes are there.
 */
export const spooled = <A, E>(
  subject: string,
  make: (spool: Spool, onStart: () => void) => Effect.Effect<A, E>
): Effect.Effect<Spooled<A, E>, E | TooBusy> =>
  Effect.gen(function* () {
    const { answers, folder, spare } = yield* Spools
    const { caller } = yield* CurrentWork
    const taken = new TakenBytes(answers, caller, 0)
    const mayGrow = (bytes: number): boolean => taken.growTo(spool.fileBytes + bytes)
    const spool = Spool.create(folder, { bytes: Number.POSITIVE_INFINITY, spare, memory: memoryBytes, mayGrow, leastRate })
    const started = Deferred.makeUnsafe<void, E | TooBusy>()
    const conclude = (exit: Exit.Exit<A, E | TooBusy>) => {
      if (Exit.isSuccess(exit)) spool.finish()
      else spool.fail(new Error("The content broke off"))
      Deferred.doneUnsafe(started, Exit.asVoid(exit))
    }
    const making = inPlace(
      subject,
      make(spool, () => Deferred.doneUnsafe(started, Exit.void))
    )
    const concluding = Effect.onExit(making, (exit) => Effect.sync(() => conclude(exit)))
    const fiber = yield* Effect.forkDetach(Effect.interruptible(Effect.andThen(Effect.yieldNow, concluding)))
    const close = Fiber.interrupt(fiber).pipe(
      Effect.andThen(Effect.promise(() => spool.close())),
      Effect.ensuring(Effect.sync(() => taken.release()))
    )
    const content = spool.reader(() => Effect.runFork(close))
    yield* Effect.onError(Effect.interruptible(Deferred.await(started)), () => Effect.sync(() => content.destroy()))
    return { content, end: Fiber.join(fiber) }
  }).pipe(Effect.uninterruptible)
