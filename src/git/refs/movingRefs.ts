import { Effect, Exit } from "effect"
import { type Noted, RepositoryTasks } from "../maintenance/RepositoryTasks.ts"
import type { Repository } from "../Repository.ts"
import { PushLocks } from "./pushLocks.ts"

/** That refs may move, as it is noted. */
export interface NotedMoves extends Noted {
  /** How often locks were lost before. */
  readonly losses: number
}

/** Notes on disk, while the refs are held and before they move, that the log may not have it. */
export const noteMoves = Effect.fn("git.noteMoves")(function* (repository: Repository) {
  const losses = yield* (yield* PushLocks).losses
  const noted = yield* RepositoryTasks.use((tasks) => tasks.noteMoves(repository))
  const moves: NotedMoves = { ...noted, losses }
  return moves
})

/**
 * Forgets that refs may have moved, when the log has what moved and they are still held. What was noted before them is not known to be
 * in the log, nor what others moved after a loss of the lock.
 */
export const forgetMoves = Effect.fnUntraced(function* (moves: NotedMoves) {
  const losses = yield* (yield* PushLocks).losses
  if (moves.notes > 1 || losses > moves.losses) return
  yield* Effect.ignoreCause(RepositoryTasks.use((tasks) => tasks.done("record", moves)))
})

/**
 * Runs what moves the refs of a repository and records that in the log, for whoever holds them; a kill in between is made good by the
 * next start. `agrees` tells by the end of `move` whether the log has all that moved; default: where it succeeded.
 */
export const movingHeldRefs = <A, E, R>(
  repository: Repository,
  move: Effect.Effect<A, E, R>,
  agrees: (exit: Exit.Exit<A, E>) => boolean = Exit.isSuccess
) =>
  Effect.flatMap(noteMoves(repository), (moves) =>
    Effect.onExit(move, (exit) => (agrees(exit) ? forgetMoves(moves) : Effect.void))
  )

/** The same for whoever does not hold them yet. */
export const movingRefs = Effect.fnUntraced(function* <A, E, R>(
  repository: Repository,
  move: Effect.Effect<A, E, R>,
  agrees?: (exit: Exit.Exit<A, E>) => boolean
) {
  const locks = yield* PushLocks
  return yield* locks.withPushLock(repository, movingHeldRefs(repository, move, agrees))
})
