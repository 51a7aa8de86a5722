import { Effect } from "effect"
import { Maintenance } from "../git/maintenance/Maintenance.ts"
import { Repositories } from "../git/Repositories.ts"
import { PushLocks } from "../git/refs/pushLocks.ts"
import { type RefChange, updateRefs } from "../git/refs/updateRefs.ts"
import { Reconciliation } from "./Reconciliation.ts"
import { recordRefs } from "./recordRefs.ts"

const changed = ({ from, to }: RefChange): boolean => from !== to

/** A git that was ended may have moved some. */
const mayHaveMoved = (changes: ReadonlyArray<RefChange>, error: Effect.Error<ReturnType<typeof updateRefs>>): boolean =>
  error._tag === "GitFailed" || (error._tag === "RefMoved" && (changes.length > 1 || error.at === changes[0]?.to))

/**
 * Moves branches and tags of a project's repository, all or none, each only from where the caller saw it, and records it. Answers
 * when read models show it. Fails with `RefMoved`, `RefNameTaken`, or `GitFailed`, after which some may have moved.
 */
export const moveRefs = Effect.fn("pushes.moveRefs")(function* (projectId: number, changes: ReadonlyArray<RefChange>) {
  const repository = (yield* Repositories).of(projectId)
  const moving = changes.filter(changed)
  if (moving.length === 0) return
  const [locks, maintenance, reconciliation] = [yield* PushLocks, yield* Maintenance, yield* Reconciliation]
  const updates = moving.map(({ from, name, to }) => ({ ref: name, before: from, after: to }))
  const moved = Effect.tapError(updateRefs(repository, moving), (error) =>
    mayHaveMoved(moving, error) ? reconciliation.soon(projectId) : Effect.void
  )
  // What was moved is recorded, even if nobody waits for the answer any more.
  const move = Effect.uninterruptible(Effect.andThen(moved, recordRefs(projectId, { updates, options: [] })))
  // After a failure too: it may be the lock of a killed process that is in the way.
  yield* Effect.ensuring(locks.hold(repository, move), maintenance.note(repository))
})
