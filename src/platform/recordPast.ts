import { Effect } from "effect"
import { uuidV7 } from "../kernel/uuid.ts"
import type { EventCodec } from "./eventStore/codec.ts"
import { EventStore, type ExpectedRevision } from "./eventStore/EventStore.ts"
import { spanned } from "./logging/tracing.ts"
import { CurrentOrigin, OnAppended } from "./Origin.ts"

/** What happened elsewhere: when, in milliseconds since 1970, and which user did it. */
export interface Past<Event> {
  readonly event: Event
  readonly at: number
  readonly by: number
}

/**
 * Appends what happened elsewhere, in the name of those who did it and on behalf of whoever brings it. Nothing is decided, and nobody reacts
 * to it. Answers the position of the last event. Dies when the stream is elsewhere, or the events are too large for the log.
 */
export const recordPast = Effect.fnUntraced(function* <Event>(
  codec: EventCodec<Event>,
  stream: string,
  happened: ReadonlyArray<Past<Event>>,
  expected: ExpectedRevision = "noStream"
) {
  const { actor: onBehalfOf, ...origin } = yield* CurrentOrigin
  const commandId = uuidV7()
  const events = happened.map(({ at, by, event }) => ({
    ...codec.encode(event),
    id: uuidV7(),
    metadata: { ...origin, actor: `user:${by}`, onBehalfOf, commandId, occurredAt: at }
  }))
  const { position } = yield* Effect.orDie(EventStore.use((store) => store.append(stream, expected, events)))
  const onAppended = yield* OnAppended
  onAppended(position)
  return position
}, spanned("Commands.recordPast"))
