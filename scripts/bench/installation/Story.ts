import type { EventCodec, StoredEvent } from "#src/platform/eventStore/codec.ts"
import type { Name } from "#src/platform/Reservations.ts"

/** The events of a stream that is not there yet, or more of them, and the names that it gets. */
export interface Story {
  readonly stream: string
  readonly names: ReadonlyArray<Name>
  readonly events: ReadonlyArray<StoredEvent>
}

export const story = <Event>(
  codec: EventCodec<Event>,
  stream: string,
  events: ReadonlyArray<Event>,
  names: ReadonlyArray<Name> = []
): Story => ({ stream, names, events: events.map(codec.encode) })

/** Numbers from `from` on. */
export const numbers = (from: number, count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => from + index)
