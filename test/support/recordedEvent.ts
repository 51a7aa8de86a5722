import { Result } from "effect"
import type { Change, ReadModel } from "#projections/ReadModel.ts"
import type { StoredEvent } from "#src/platform/eventStore/codec.ts"
import type { RecordedEvent } from "#src/platform/eventStore/EventStore.ts"

/** When and where in the log a `recordedEvent` was recorded: on 2024-06-30T12:00:00.000Z. */
export const recorded = { at: 1_719_748_800_000, position: 12 } as const

/** An event as it comes back from the log, in which it is the first of its stream. */
export const recordedEvent = (stored: StoredEvent, stream: string): RecordedEvent => ({
  ...JSON.parse(JSON.stringify(stored)),
  id: "018f0000-0000-7000-8000-000000000000",
  metadata: { actor: "user:1", commandId: "c", correlationId: "r" },
  stream,
  revision: 0,
  ...recorded,
  hash: "0".repeat(64)
})

/** What an event of a stream changes in a read model. */
export const changesIn =
  ({ projections }: ReadModel) =>
  (stored: StoredEvent, stream: string): ReadonlyArray<Change> =>
    projections
      .filter(({ types }) => types.has(stored.type))
      .flatMap(({ project }) => Result.getOrThrow(project(recordedEvent(stored, stream))))
