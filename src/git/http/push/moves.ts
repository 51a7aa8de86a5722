import { Effect } from "effect"
import type { GitFailed, Repository } from "../../Repository.ts"
import type { RepositoryTasks } from "../../RepositoryTasks.ts"
import { type RefUpdate, refsOf } from "../../refs/pushedRefs.ts"
import type { PushLocks } from "../../refs/pushLocks.ts"
import { completeMoves } from "../../refs/trackMoves.ts"
import type { PushGrant } from "../access.ts"
import { type GitEnd, type PushPhase, type Refusals, refusing } from "./machine.ts"

const notRecorded = "moved, but the service could not record it; fetch to see where it is"

/** The updates, with where the refs to be removed really are; without those of them that are nowhere. */
export const withRealDeletions = Effect.fnUntraced(function* (repository: Repository, updates: ReadonlyArray<RefUpdate>) {
  const names = updates.flatMap(({ after, ref }) => (after === null ? [ref] : []))
  if (names.length === 0) return updates
  const now = yield* refsOf(repository, names)
  return updates.flatMap((update) => {
    if (update.after !== null) return [update]
    const before = now.get(update.ref)
    return before === undefined ? [] : [{ ...update, before }]
  })
})

/**
 * What a push moved. `git` moves a ref only from where the client saw it, so what it reports as done went from `before` to
 * `after`; but it removes a ref that names a missing object from wherever it is, so those are read beforehand. Without a report,
 * such as after a kill, the refs themselves tell: nobody else of this process moves them meanwhile.
 */
const movedBy = Effect.fnUntraced(function* (
  repository: Repository,
  { reported }: GitEnd,
  updates: ReadonlyArray<RefUpdate>
): Effect.fn.Return<ReadonlyArray<RefUpdate>, GitFailed> {
  const changing = updates.filter(({ after, before }) => after !== before)
  if (reported !== undefined) return changing.filter(({ ref }) => reported.has(ref))
  const names = updates.map(({ ref }) => ref)
  const now = yield* refsOf(repository, names)
  return changing.filter(({ after, ref }) => (now.get(ref) ?? null) === after)
})

interface Recorded {
  readonly lines: ReadonlyArray<string>
  readonly unrecorded: Refusals
}

/** Records what a push moved. Never fails: what could not be recorded is told to the client, and made good later. */
export const recordMoves = <R>(
  { onRefsUpdated, onUnrecorded, repository }: PushGrant<R>,
  { end, noted, question: { options }, updates }: Extract<PushPhase, { readonly _tag: "Recording" }>,
  recordLimit: number
): Effect.Effect<Recorded, never, R | PushLocks | RepositoryTasks> =>
  movedBy(repository, end, updates).pipe(
    Effect.flatMap((moved) =>
      moved.length === 0 ? Effect.succeed([]) : Effect.timeout(onRefsUpdated({ updates: moved, options }), recordLimit)
    ),
    Effect.tap(completeMoves(noted)),
    Effect.map((lines): Recorded => ({ lines, unrecorded: new Map() })),
    Effect.catchCause((cause) => {
      const unrecorded = refusing(
        updates.filter(({ ref }) => end.reported?.has(ref)),
        notRecorded
      )
      const told = Effect.andThen(Effect.logError("A push was not recorded", cause), onUnrecorded)
      return Effect.as(told, { lines: [], unrecorded })
    })
  )
