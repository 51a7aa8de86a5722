import { Effect } from "effect"
import { uuidV7 } from "#src/kernel/uuid.ts"
import { type MergeRequestEvent, mergeRequestCodec } from "#src/mergeRequests/events.ts"
import { type MergeRequestKey, mergeRequestStream } from "#src/mergeRequests/ids.ts"
import type { EventCodec } from "#src/platform/eventStore/codec.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Projections } from "#src/platform/Projections.ts"
import type { TestService } from "#test/support/service.ts"

/** Tells the log something beside the interface, until it is shown; answers the times of the first and of the last event of the stream. */
export const tell = <Event>(
  service: TestService,
  stream: string,
  codec: EventCodec<Event>,
  events: ReadonlyArray<Event>
): Promise<{ readonly first: number; readonly last: number }> =>
  service.run(
    Effect.gen(function* () {
      const store = yield* EventStore
      const metadata = { actor: "system:test", commandId: uuidV7(), correlationId: uuidV7() }
      const encoded = events.map((event) => ({ ...codec.encode(event), id: uuidV7(), metadata }))
      if (encoded.length > 0) {
        const { position } = yield* store.append(stream, "any", encoded)
        yield* Projections.use((projections) => projections.awaitPosition(position))
      }
      const times = (yield* store.read(stream)).map(({ at }) => at)
      return { first: times[0] ?? Number.NaN, last: times.at(-1) ?? Number.NaN }
    })
  )

/** The same of a merge request. */
export const append = (service: TestService, key: MergeRequestKey, events: ReadonlyArray<MergeRequestEvent>) =>
  tell(service, mergeRequestStream(key), mergeRequestCodec, events)
