import { randomUUID } from "node:crypto"
import type { EventMetadata, NewEvent, RecordedEvent } from "#src/platform/eventStore/EventStore.ts"

/** A stream name that no other test uses, also on a server that keeps its log. */
export const newStream = (): string => `contract-${randomUUID()}`

const metadata = (id: string): EventMetadata => ({
  actor: "user:1",
  commandId: id,
  correlationId: "request-1",
  causationId: "cause-1",
  idempotencyKey: "Schlüssel"
})

export const newEvent = (data: unknown = { title: "a" }, type = "Tested"): NewEvent => {
  const id = randomUUID()
  return { id, type, schemaVersion: 3, data, metadata: metadata(id) }
}

export const newEvents = (count: number): ReadonlyArray<NewEvent> =>
  Array.from({ length: count }, (_, index) => newEvent({ index }))

/** What the author of an event decided, without what the store adds. */
export const authored = ({ data, id, metadata, schemaVersion, type }: RecordedEvent): NewEvent => ({
  id,
  type,
  schemaVersion,
  data,
  metadata
})

export const ids = (events: ReadonlyArray<NewEvent>): ReadonlyArray<string> => events.map(({ id }) => id)
