import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import type { EventMetadata, NewEvent, RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { canonicalJson, chainHash, contentDigest, genesis, metadataJson } from "#src/platform/eventStore/hashChain.ts"

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

/** The hashes that events must have. */
const hashes = (events: ReadonlyArray<RecordedEvent>): ReadonlyArray<string> => {
  let previous = genesis
  return events.map((event) => {
    const content = { ...event, data: canonicalJson(event.data), metadata: metadataJson(event.metadata) }
    previous = chainHash(previous, event.revision, event.at, contentDigest(content))
    return previous.toString("hex")
  })
}

/** That each of these events, all of a stream, is sealed behind its predecessor. */
export const assertSealed = (events: ReadonlyArray<RecordedEvent>): void =>
  assert.deepEqual(
    events.map(({ hash }) => hash),
    hashes(events)
  )
