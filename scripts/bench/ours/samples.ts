import { Effect, Schema } from "effect"
import { on, patch, put, type ReadModel } from "#projections/ReadModel.ts"
import { uuidV7 } from "#src/kernel/uuid.ts"
import { eventCodec } from "#src/platform/eventStore/codec.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { eventsPerSample, history } from "../history.ts"

const SampleEvent = Schema.TaggedUnion({
  SampleAdded: { name: Schema.String, address: Schema.String, enabled: Schema.Boolean, number: Schema.Int },
  SampleChanged: { enabled: Schema.Boolean, number: Schema.Int }
})
const codec = eventCodec(SampleEvent)

/** The read model has one row for each stream, as the peer has one document. */
export const samples: ReadModel = {
  name: "samples",
  version: 1,
  ddl: `create table samples (stream text primary key, name text not null, address text not null, enabled boolean not null,
    number bigint not null, updated_at bigint not null)`,
  tables: { samples: ["stream"] },
  projections: [
    on(codec, ({ _tag, ...event }, { at, stream }) =>
      _tag === "SampleAdded"
        ? [put("samples", { stream, ...event, updated_at: at })]
        : [patch("samples", { stream }, { ...event, updated_at: at })]
    )
  ]
}

/** Samples of this run of the benchmark: a server that keeps its log may have those of earlier runs. */
const run = uuidV7()

/** Appends the whole history of one sample. */
export const addSample = Effect.fnUntraced(function* (index: number) {
  const store = yield* EventStore
  const metadata = { actor: "user:1", commandId: uuidV7(), correlationId: uuidV7() }
  const events = history(index).map((event) => ({ ...codec.encode(event), id: uuidV7(), metadata }))
  return yield* store.append(`sample-${run}-${index}`, "noStream", events)
})

/** Fills the log with so many events. */
export const addSamples = (events: number) =>
  Effect.forEach(
    Array.from({ length: events / eventsPerSample }, (_, index) => index),
    addSample,
    { concurrency: 128, discard: true }
  )
