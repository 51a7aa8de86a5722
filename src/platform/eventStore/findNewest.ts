import { Effect } from "effect"
import { EventStore, type RecordedEvent } from "./EventStore.ts"

/** So many of the last events are looked at, and so many are read at a time, for each may have a megabyte. */
const [maxEvents, piece] = [200, 10]

/** What `find` makes of the newest event of a stream of which it makes anything, among the last 200. Undefined where there is none. */
export const findNewest = Effect.fnUntraced(function* <A, E, R>(
  stream: string,
  find: (event: RecordedEvent) => Effect.Effect<A | undefined, E, R>
) {
  const { read } = yield* EventStore
  let next: { readonly from?: number } = {}
  for (let seen = 0; seen < maxEvents; seen += piece) {
    const events = yield* read(stream, { direction: "backwards", limit: piece, ...next })
    for (const event of events) {
      const found = yield* find(event)
      if (found !== undefined) return found
    }
    const oldest = events.at(-1)?.revision ?? 0
    if (oldest === 0) return
    next = { from: oldest - 1 }
  }
  return
})
