import { Effect, Result } from "effect"
import { defined } from "../kernel/defined.ts"
import { EventStore, type Position, type RecordedEvent } from "../platform/eventStore/EventStore.ts"
import { userOf } from "../platform/Origin.ts"
import { pushCodec } from "./events.ts"
import { repositoryStream } from "./ids.ts"

/** A ref that moved. An id is null where there was, or is, no such ref. */
interface RefMove {
  readonly before: string | null
  readonly after: string | null
  /** The user who moved it; undefined where the service did. */
  readonly by: number | undefined
  /** Those of the push. */
  readonly options: ReadonlyArray<string>
  /** That of the push in the log. */
  readonly position: Position
}

/** So many of the last pushes to a repository are looked at, and so many are read at a time, for each may have a megabyte. */
const [maxPushes, piece] = [200, 10]

/** The moves of a ref by a push, the newest first. */
const movesIn = (event: RecordedEvent, name: string): ReadonlyArray<RefMove> => {
  const decoded = pushCodec.decode(event)
  if (Result.isFailure(decoded)) return []
  const by = userOf(event.metadata.actor)
  const { options, updates } = decoded.success
  const moves = updates.filter(({ ref }) => ref === name)
  return moves.map(({ after, before }) => ({ before, after, by, options, position: event.position })).toReversed()
}

/** The newest move of a ref of a project's repository that fits, among the last pushes. Undefined where none does. */
export const findMove = Effect.fnUntraced(function* <E, R>(
  projectId: number,
  name: string,
  fits: (move: RefMove) => Effect.Effect<boolean, E, R>
) {
  const { read } = yield* EventStore
  let from: number | undefined
  for (let seen = 0; seen < maxPushes; seen += piece) {
    const events = yield* read(repositoryStream(projectId), defined({ direction: "backwards", limit: piece, from } as const))
    for (const move of events.flatMap((event) => movesIn(event, name))) if (yield* fits(move)) return move
    from = (events.at(-1)?.revision ?? 0) - 1
    if (from < 0) return
  }
  return
})
