import { Effect, Result } from "effect"
import type { Position, RecordedEvent } from "../platform/eventStore/EventStore.ts"
import { findNewest } from "../platform/eventStore/findNewest.ts"
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
export const findMove = <E, R>(projectId: number, name: string, fits: (move: RefMove) => Effect.Effect<boolean, E, R>) =>
  findNewest(
    repositoryStream(projectId),
    Effect.fnUntraced(function* (event) {
      for (const move of movesIn(event, name)) if (yield* fits(move)) return move
      return
    })
  )
