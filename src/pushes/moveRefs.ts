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

/**
 * Runs an attempt that looks where refs are and moves them from there. When another one was faster, it runs once more while nobody else
 * may move any: whoever still fails with `RefMoved` met somebody who asks for no lock.
 */
export const moveFromTip = Effect.fnUntraced(function* <A, E, R>(
  projectId: number,
  attempt: (move: Move, isRetry: boolean) => Effect.Effect<A, E, R>
) {
  const second = locked(
    projectId,
    attempt((changes) => moveAlone(projectId, changes), true)
  )
  return yield* attempt((changes) => moveRefs(projectId, changes), false).pipe(
    Effect.catchIf(
      (error) => error instanceof RefMoved,
      () => second
    )
  )
}, spanned("pushes.moveFromTip"))
