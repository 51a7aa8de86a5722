import { Effect, Exit, Option } from "effect"
import { Repositories } from "../git/Repositories.ts"
import { PushLocks } from "../git/refs/pushLocks.ts"
import type { RefChange } from "../git/refs/RefChange.ts"
import { trackLockedMoves } from "../git/refs/trackMoves.ts"
import { RefMoved, updateRefs } from "../git/refs/updateRefs.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { Reconciliation } from "./Reconciliation.ts"
import { recordRefs } from "./recordRefs.ts"

const changed = ({ from, to }: RefChange): boolean => from !== to

type Failure = Effect.Error<ReturnType<typeof updateRefs>>

/** A git that was ended may have moved some. */
const mayHaveMoved = (changes: ReadonlyArray<RefChange>, error: Failure): boolean =>
  error._tag === "GitFailed" || (error._tag === "RefMoved" && (changes.length > 1 || error.at === changes[0]?.to))

/** Tells whether the log has whatever moved. */
const isRecorded =
  (changes: ReadonlyArray<RefChange>) =>
  (exit: Exit.Exit<unknown, Failure>): boolean =>
    Exit.isSuccess(exit) || Option.exists(Exit.findErrorOption(exit), (error) => !mayHaveMoved(changes, error))

/** Moves refs and records it, for whoever holds the lock of the repository. */
const moveAlone = Effect.fnUntraced(function* (
  projectId: number,
  changes: ReadonlyArray<RefChange>,
  options: ReadonlyArray<string> = []
) {
  const repository = (yield* Repositories).of(projectId)
  const moving = changes.filter(changed)
  const reconciliation = yield* Reconciliation
  const updates = moving.map(({ from, name, to }) => ({ ref: name, before: from, after: to }))
  const moved = Effect.tapError(updateRefs(repository, moving), (error) =>
    mayHaveMoved(moving, error) ? reconciliation.schedule(projectId) : Effect.void
  )
  // What was moved is recorded, even if nobody waits for the answer any more.
  const move = Effect.uninterruptible(Effect.andThen(moved, recordRefs(projectId, { updates, options })))
  yield* trackLockedMoves(repository, move, isRecorded(moving))
})

const locked = Effect.fnUntraced(function* <A, E, R>(projectId: number, effect: Effect.Effect<A, E, R>) {
  const [locks, repositories] = [yield* PushLocks, yield* Repositories]
  return yield* locks.withPushLock(repositories.of(projectId), effect)
})

/**
 * Moves branches and tags of a project's repository, all or none, each only from where the caller saw it, and records it. Answers
 * when read models show it. Fails with `RefMoved`, `RefNameTaken`, or `GitFailed`, after which some may have moved. The options are those of a
 * push, such as `ci.skip`.
 */
export const moveRefs = (projectId: number, changes: ReadonlyArray<RefChange>, options?: ReadonlyArray<string>) =>
  spanned("pushes.moveRefs")(changes.some(changed) ? locked(projectId, moveAlone(projectId, changes, options)) : Effect.void)

/** What moves refs in an attempt. */
export type Move = (changes: ReadonlyArray<RefChange>) => ReturnType<typeof moveRefs>

/** The first attempt moves refs as anybody does. When somebody else was faster, a second one runs while nobody else may move any. */
const tryTwice = <A, E, R>(projectId: number, isLate: boolean, attempt: Attempt<A, E, R>) =>
  attempt((changes) => moveRefs(projectId, changes), isLate).pipe(
    Effect.catchIf(
      (error) => error instanceof RefMoved,
      () =>
        locked(
          projectId,
          attempt((changes) => moveAlone(projectId, changes), true)
        )
    )
  )

/** What looks where refs are and moves them from there. `isLate`: others were let in before, so what they may have changed is judged again. */
type Attempt<A, E, R> = (move: Move, isLate: boolean) => Effect.Effect<A, E, R>

/** What an attempt moves. */
interface Target<R> {
  /** The ref that others may be about to move, too: attempts to move the same one are made in turns. Absent where there are several. */
  readonly ref?: string
  /** What is found out in the turn of the attempt, before it is made, without holding up those who move other refs. */
  readonly look?: Effect.Effect<void, never, R>
}

/**
 * Runs an attempt to move refs from where they are; once more, under the lock of pushes, where somebody else moved one meanwhile. Whoever
 * still fails with `RefMoved` met somebody who asks for no lock.
 */
export const moveFromTip = Effect.fnUntraced(function* <A, E, R, L = never>(
  projectId: number,
  { look = Effect.void, ref }: Target<L>,
  attempt: Attempt<A, E, R>
) {
  const [{ turns }, repositories] = [yield* PushLocks, yield* Repositories]
  const tryLooking = (isLate: boolean) => Effect.andThen(look, tryTwice(projectId, isLate, attempt))
  return yield* ref === undefined ? tryLooking(false) : turns.inRefTurn(repositories.of(projectId), ref, tryLooking)
}, spanned("pushes.moveFromTip"))
