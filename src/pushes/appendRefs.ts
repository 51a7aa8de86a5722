import { Effect } from "effect"
import type { Push } from "../git/http/access.ts"
import { Repositories } from "../git/Repositories.ts"
import type { RefUpdate } from "../git/refs/pushedRefs.ts"
import { branchOf } from "../git/refs/refNames.ts"
import { beginMoves } from "../git/refs/trackMoves.ts"
import { record } from "../platform/Commands.ts"
import type { ExpectedRevision, Position } from "../platform/eventStore/EventStore.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { Projections } from "../platform/Projections.ts"
import { noteReadme, protectDefaultBranch } from "../projects/ProjectProtections.ts"
import { type PushEvent, pushCodec } from "./events.ts"
import { repositoryStream } from "./ids.ts"

/** One event has at most this many refs, which is about a megabyte. */
const maxUpdatesPerEvent = 5_000

const eventsOf = ({ options, updates }: Push): ReadonlyArray<PushEvent> => {
  const events: Array<PushEvent> = []
  for (let start = 0; start < updates.length; start += maxUpdatesPerEvent) {
    events.push({
      _tag: "RefsUpdated",
      updates: updates.slice(start, start + maxUpdatesPerEvent),
      options: start === 0 ? options : []
    })
  }
  return events
}

const newBranches = (updates: ReadonlyArray<RefUpdate>): ReadonlyArray<string> =>
  updates.flatMap(({ after, before, ref }) => (before === null && after !== null ? (branchOf(ref) ?? []) : []))

/** What fails is left to the reconciliation: the refs themselves are recorded. */
const refreshReadme = (projectId: number, refs: ReadonlyArray<string>) =>
  noteReadme(projectId, refs).pipe(
    Effect.catchCause(
      Effect.fnUntraced(function* (cause) {
        yield* Effect.logWarning(`The README of project ${projectId} could not be read`, cause)
        yield* beginMoves((yield* Repositories).of(projectId))
        return undefined
      })
    )
  )

/**
 * Appends to the log what moved in the repository of a project, to be called while the refs are held. After the first branches it
 * chooses the default branch and protects it. Answers when read models show it. Dies when the log, or the stream of the repository,
 * is not as it must be; then `Reconciliation` has to see to it.
 */
export const appendRefs = Effect.fnUntraced(function* (projectId: number, push: Push, expected: ExpectedRevision = "any") {
  const projections = yield* Projections
  let position: Position = yield* record(pushCodec, repositoryStream(projectId), eventsOf(push), { expected })
  const branches = newBranches(push.updates)
  const filled = branches.length === 0 ? undefined : yield* protectDefaultBranch(projectId, branches)
  const refs = push.updates.map(({ ref }) => ref)
  const noted = yield* refreshReadme(projectId, refs)
  position = Math.max(position, filled?.position ?? 0, noted?.position ?? 0)
  yield* projections.awaitPosition(position).pipe(Effect.ignore)
  return position
}, spanned("pushes.appendRefs"))
