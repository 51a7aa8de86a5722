import { Effect, Result } from "effect"
import { type MergeRequestEvent, mergeRequestCodec } from "../../mergeRequests/events.ts"
import { EventStore, type RecordedEvent } from "../../platform/eventStore/EventStore.ts"

/** So many events are read at a time. */
const limit = 100

/** The last of what is looked for among the events of a merge request before this one; undefined where there is none. */
export const lastBefore = Effect.fnUntraced(function* <A>(
  { revision, stream }: RecordedEvent,
  pick: (event: MergeRequestEvent) => A | undefined
) {
  const { read } = yield* EventStore
  for (let from = revision - 1; from >= 0; from -= limit) {
    for (const recorded of yield* read(stream, { from, limit, direction: "backwards" })) {
      const decoded = mergeRequestCodec.decode(recorded)
      const found = Result.isSuccess(decoded) ? pick(decoded.success) : undefined
      if (found !== undefined) return found
    }
  }
  return undefined
})

/** The user who opened a merge request. */
export const authorOf = Effect.fnUntraced(function* ({ stream }: RecordedEvent) {
  const [first] = yield* EventStore.use(({ read }) => read(stream, { from: 0, limit: 1 }))
  const decoded = first === undefined ? undefined : mergeRequestCodec.decode(first)
  if (decoded === undefined || Result.isFailure(decoded) || decoded.success._tag !== "MergeRequestOpened") return undefined
  return decoded.success.authorId
})
