import { type Cause, Effect, Queue, type Scope } from "effect"
import { Processes } from "../../../platform/processes/Processes.ts"
import { inClass } from "../../../platform/work/CurrentWork.ts"
import { inPlace } from "../../../platform/work/WorkPlaces.ts"
import { diagnoseGraph } from "../../commitGraph/diagnoseGraph.ts"
import { Maintenance } from "../../maintenance/Maintenance.ts"
import { Spools } from "../../process/Spools.ts"
import type { RepositoryTasks } from "../../RepositoryTasks.ts"
import { PushLocks } from "../../refs/pushLocks.ts"
import { removeStaleLocks } from "../../refs/staleLocks.ts"
import { beginMoves } from "../../refs/trackMoves.ts"
import type { TreeLimits } from "../../trees/TreeLimits.ts"
import type { PushGrant } from "../access.ts"
import type { Exchange } from "../exchange.ts"
import type { GitHttpLimits } from "../limits.ts"
import type { PushQuestion } from "./HookDialogue.ts"
import { isOver, next, type PushEvent, type PushPhase, waiting } from "./machine.ts"
import { recordMoves, withRealDeletions } from "./moves.ts"
import { refusalsOf } from "./refusals.ts"
import { Transfer } from "./Transfer.ts"

interface Running<R> {
  readonly limits: GitHttpLimits
  readonly grant: PushGrant<R>
  readonly transfer: Transfer
  /** Takes note of what happened. */
  readonly post: (event: PushEvent) => Effect.Effect<void>
}

/** Runs beside the push, until that is over. */
const inBackground = <R>(effect: Effect.Effect<unknown, never, R>) => Effect.asVoid(Effect.forkScoped(effect))

/** Says that something was taken, and keeps it until the push is over. */
const hold = <R>({ post }: Running<R>, event: PushEvent) => Effect.andThen(post(event), Effect.never)

/** Waits for the commands, and then for a place. */
const acquirePlace = Effect.fnUntraced(function* <R>(running: Running<R>) {
  const { grant, post, transfer } = running
  const maintenance = yield* Maintenance
  const admitted = maintenance.withPush(grant.repository, hold(running, { _tag: "Admitted" }))
  const turn = transfer.awaitCommands().pipe(
    Effect.andThen(inClass("transfer")(inPlace(grant.repository.path, admitted))),
    Effect.catchTags({
      BodyRefused: (fault) => post({ _tag: "BodyRefused", fault }),
      TooBusy: () => post({ _tag: "TurnedAway" })
    })
  )
  yield* inBackground(turn)
})

const notJudged =
  <R>({ post }: Running<R>) =>
  (cause: Cause.Cause<unknown>) =>
    Effect.andThen(Effect.logError("A push was not checked", cause), post({ _tag: "NotJudged" }))

const judge = <R>(running: Running<R>, question: PushQuestion) =>
  refusalsOf(running.grant, question).pipe(
    Effect.flatMap((refusals) => running.post({ _tag: "Judged", refusals })),
    Effect.catchCause(notJudged(running)),
    inBackground
  )

const lock = Effect.fnUntraced(function* <R>(running: Running<R>, { updates }: PushQuestion) {
  const { repository } = running.grant
  const locks = yield* PushLocks
  const locked = Effect.gen(function* () {
    const real = yield* withRealDeletions(repository, updates)
    const names = real.map(({ ref }) => ref)
    yield* removeStaleLocks(repository, names)
    return yield* hold(running, { _tag: "Locked", updates: real, noted: yield* beginMoves(repository) })
  })
  yield* inBackground(Effect.catchCause(locks.withPushLock(repository, locked), notJudged(running)))
})

/** Tells git which refs may move. */
const answer = <R>({ transfer }: Running<R>, updates: PushQuestion["updates"]) =>
  Effect.sync(() => transfer.answer(new Set(updates.map(({ ref }) => ref))))

/** What each phase does when it begins. */
const enter = <R>(
  running: Running<R>,
  phase: PushPhase
): Effect.Effect<void, never, R | Maintenance | PushLocks | RepositoryTasks | Scope.Scope | TreeLimits> => {
  const { grant, limits, post, transfer } = running
  switch (phase._tag) {
    case "Waiting":
      return acquirePlace(running)
    case "ReadingCommands":
      return Effect.sync(() => transfer.start())
    case "ReadingRest":
      return Effect.sync(() => transfer.closeInput())
    case "Judging":
      return judge(running, phase.question)
    case "Locking":
      return lock(running, phase.question)
    case "Moving":
      return answer(running, phase.question.updates)
    case "Refusing":
      return answer(running, [])
    case "Halting":
    case "Stopping":
      return Effect.sync(() => transfer.stop())
    case "Recording":
      return Effect.flatMap(recordMoves(grant, phase, limits.recordTimeoutMillis), (recorded) =>
        post({ _tag: "Recorded", ...recorded })
      )
    case "Reporting":
      return diagnoseGraph(grant.repository, phase.end.stderr).pipe(
        Effect.andThen(Effect.sync(() => transfer.report(phase.outcome, phase.end.status))),
        Effect.andThen(post({ _tag: "Reported" }))
      )
    case "Receiving":
    case "Checking":
    case "Done":
    case "Failed":
      return Effect.void
  }
}

/**
 * Receives a push: each ref by itself as its verdict says (all or none when the client asks for that), recorded before the client is
 * told. What came for refused refs alone is thrown away with the push; a crash leaves each ref where it was or where it should go.
 * Between the moves and the record only a kill of this process leaves a difference that nobody was told of: see `refDifference`.
 *
 * Which phase follows which says `machine.ts`. Cannot be interrupted: that the client is gone is an event like others. Answers how
 * git ended; undefined when it was never started.
 */
export const push = Effect.fnUntraced(
  function* <R>(exchange: Exchange, grant: PushGrant<R>, limits: GitHttpLimits) {
    const events = yield* Queue.unbounded<PushEvent>()
    const post = (event: PushEvent): void => void Queue.offerUnsafe(events, event)
    const transfer = new Transfer(exchange, { processes: yield* Processes, spools: yield* Spools, grant, limits, post })
    yield* Effect.addFinalizer(() => Effect.sync(() => transfer.close()))
    exchange.gone.addEventListener("abort", () => post({ _tag: "HungUp" }))
    if (exchange.gone.aborted) post({ _tag: "HungUp" })

    const running: Running<R> = { limits, grant, transfer, post: (event) => Effect.sync(() => post(event)) }
    let phase = waiting
    yield* enter(running, phase)
    while (!isOver(phase)) {
      const following = next(phase, yield* Queue.take(events))
      if (following._tag !== phase._tag) yield* enter(running, following)
      phase = following
    }
    return phase._tag === "Failed" ? yield* phase.error : phase.end
  },
  Effect.scoped,
  Effect.uninterruptible
)
