import { Data, Effect } from "effect"
import { uuidV7 } from "../kernel/uuid.ts"
import type { EventCodec } from "./eventStore/codec.ts"
import { EventStore, type ExpectedRevision, type Fences, type NewEvent } from "./eventStore/EventStore.ts"
import { spanned } from "./logging/tracing.ts"
import { CurrentOrigin, OnAppended } from "./Origin.ts"

/** What happened elsewhere: when, in milliseconds since 1970, and which user did it. */
export interface Past<Event> {
  readonly event: Event
  readonly at: number
  readonly by: number
}

/** There is something already where something is to be brought, or it is too large for the log. */
export class PastRefused extends Data.TaggedError("PastRefused")<{ readonly message: string }> {}

/** So many characters are appended at once: less than any log takes. */
const maxLength = 256 * 1024

/** Events in their order, in as many appends as they need. */
const appendsOf = (events: ReadonlyArray<NewEvent>): ReadonlyArray<ReadonlyArray<NewEvent>> => {
  const appends: Array<Array<NewEvent>> = []
  let room = 0
  for (const event of events) {
    const length = JSON.stringify(event).length
    if (length > room) {
      appends.push([])
      room = maxLength
    }
    room -= length
    appends.at(-1)?.push(event)
  }
  return appends
}

interface RecordingPast {
  /** Where the stream must be. */
  readonly expected?: ExpectedRevision
  /** What has to hold when it begins, such as the reservations of names. */
  readonly fences?: Fences
}

/**
 * Appends what happened elsewhere, in the name of those who did it and on behalf of whoever brings it. Nothing is decided, and nobody reacts
 * to it. Much is appended in parts, so a process that dies may leave a beginning of it. Answers the position of the last event. Refuses
 * where the stream is elsewhere.
 */
export const recordPast = Effect.fnUntraced(function* <Event>(
  codec: EventCodec<Event>,
  stream: string,
  happened: ReadonlyArray<Past<Event>>,
  { expected = "noStream", fences = [] }: RecordingPast = {}
) {
  const { actor: onBehalfOf, ...origin } = yield* CurrentOrigin
  const commandId = uuidV7()
  const events = happened.map(
    ({ at, by, event }): NewEvent => ({
      ...codec.encode(event),
      id: uuidV7(),
      metadata: { ...origin, actor: `user:${by}`, onBehalfOf, commandId, occurredAt: at }
    })
  )
  const { append } = yield* EventStore
  let [end, last] = [expected, 0]
  for (const part of appendsOf(events)) {
    const { position, revision } = yield* append(stream, end, part, { areNew: true, fences: last === 0 ? fences : [] }).pipe(
      Effect.catchTags({
        AppendTooLarge: ({ message }) => new PastRefused({ message }),
        FenceMoved: () => new PastRefused({ message: `Somebody else has taken a name of ${stream} meanwhile` }),
        WrongExpectedRevision: () => new PastRefused({ message: `Somebody else has made ${stream} meanwhile` })
      })
    )
    end = expected === "any" ? "any" : revision
    last = position
  }
  const onAppended = yield* OnAppended
  onAppended(last)
  return last
}, spanned("Commands.recordPast"))
