import { Effect, Result } from "effect"
import { EventStore } from "../platform/eventStore/EventStore.ts"
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
}

/** So many of the last pushes to a repository are looked at. */
const maxPushes = 200

/** The last moves of a ref of a project's repository, the newest first. */
export const lastMoves = Effect.fnUntraced(function* (projectId: number, name: string) {
  const options = { direction: "backwards", limit: maxPushes } as const
  const events = yield* EventStore.use((store) => store.read(repositoryStream(projectId), options))
  return events.flatMap((event): ReadonlyArray<RefMove> => {
    const decoded = pushCodec.decode(event)
    if (Result.isFailure(decoded)) return []
    const by = userOf(event.metadata.actor)
    const { options, updates } = decoded.success
    const moves = updates.filter(({ ref }) => ref === name)
    return moves.map(({ after, before }) => ({ before, after, by, options })).toReversed()
  })
})
