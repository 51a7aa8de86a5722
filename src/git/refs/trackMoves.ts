import { Effect, Exit } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import type { Repository } from "../Repository.ts"
import { RepositoryTasks, type ScheduledTask } from "../RepositoryTasks.ts"
import { PushLocks } from "./pushLocks.ts"

/** The scheduled recording of refs that may move. */
export interface ScheduledMoves extends ScheduledTask {
  /** The number of lost locks before. */
  readonly losses: number
}

/** Schedules the recording of moves on disk, while the refs are locked and before they move. */
export const beginMoves = Effect.fnUntraced(function* (repository: Repository) {
  const losses = yield* (yield* PushLocks).losses
  const scheduled = yield* RepositoryTasks.use((tasks) => tasks.scheduleRecord(repository))
  const moves: ScheduledMoves = { ...scheduled, losses }
  return moves
}, spanned("git.beginMoves"))

/**
 * Completes the recording, when the log has the moves and the refs are still locked. Moves that were scheduled before may not be in the
 * log, nor those of others after a loss of the lock.
 */
export const completeMoves = Effect.fnUntraced(function* (moves: ScheduledMoves) {
  const losses = yield* (yield* PushLocks).losses
  if (moves.notes > 1 || losses > moves.losses) return
  yield* Effect.ignoreCause(RepositoryTasks.use((tasks) => tasks.complete("record", moves)))
})

/**
 * Runs what moves the refs of a repository and records that in the log, for whoever holds them; a kill in between is made good by the
 * next start. `isRecorded` tells by the end of `move` whether the log has all that moved; default: where it succeeded.
 */
export const trackLockedMoves = <A, E, R>(
  repository: Repository,
  move: Effect.Effect<A, E, R>,
  isRecorded: (exit: Exit.Exit<A, E>) => boolean = Exit.isSuccess
) =>
  Effect.flatMap(beginMoves(repository), (moves) =>
    Effect.onExit(move, (exit) => (isRecorded(exit) ? completeMoves(moves) : Effect.void))
  )

/** Does the same, and locks the refs first. */
export const trackMoves = Effect.fnUntraced(function* <A, E, R>(
  repository: Repository,
  move: Effect.Effect<A, E, R>,
  isRecorded?: (exit: Exit.Exit<A, E>) => boolean
) {
  const locks = yield* PushLocks
  return yield* locks.withPushLock(repository, trackLockedMoves(repository, move, isRecorded))
})
