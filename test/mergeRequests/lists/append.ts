import { Effect } from "effect"
import { uuidV7 } from "#src/kernel/uuid.ts"
import { type MergeRequestEvent, mergeRequestCodec } from "#src/mergeRequests/events.ts"
import { type MergeRequestKey, mergeRequestStream } from "#src/mergeRequests/ids.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Projections } from "#src/platform/Projections.ts"
import type { TestService } from "#test/support/service.ts"

/** Tells the log of a merge request, beside the interface, until it is shown; answers the times of its first and of its last event. */
export const append = (
  service: TestService,
  key: MergeRequestKey,
  events: ReadonlyArray<MergeRequestEvent>
): Promise<{ readonly first: number; readonly last: number }> =>
  service.run(
    Effect.gen(function* () {
      const store = yield* EventStore
      const stream = mergeRequestStream(key)
      const metadata = { actor: "system:test", commandId: uuidV7(), correlationId: uuidV7() }
      const encoded = events.map((event) => ({ ...mergeRequestCodec.encode(event), id: uuidV7(), metadata }))
      if (encoded.length > 0) {
        const { position } = yield* store.append(stream, "any", encoded)
        yield* Projections.use((projections) => projections.awaitPosition(position))
      }
      const times = (yield* store.read(stream)).map(({ at }) => at)
      return { first: times[0] ?? Number.NaN, last: times.at(-1) ?? Number.NaN }
    })
  )
