import { Schema } from "effect"
import { idTaken, on, patch, put, type ReadModel, remove, removeWhere } from "#projections/ReadModel.ts"
import { uuidV7 } from "#src/kernel/uuid.ts"
import { eventCodec } from "#src/platform/eventStore/codec.ts"
import type { NewEvent } from "#src/platform/eventStore/EventStore.ts"

const SampleEvent = Schema.TaggedUnion({
  NoteWritten: { id: Schema.Int, author: Schema.String, text: Schema.String },
  NoteChanged: { id: Schema.Int, text: Schema.String },
  NoteRemoved: { id: Schema.Int },
  AuthorRemoved: { author: Schema.String }
})
export type SampleEvent = typeof SampleEvent.Type
export const sampleCodec = eventCodec(SampleEvent)

/** A read model as small as it can be, with every kind of change. A text `poison` is refused by the projection, `\u0000` by the database. */
export const notesReadModel: ReadModel = {
  name: "notes",
  version: 1,
  ddl: `create table notes (id bigint primary key, author text not null, text text not null, revision bigint not null);
    create index on notes (author)`,
  indexes: "create index if not exists by_text on notes (text)",
  tables: { notes: ["id"] },
  projections: [
    on(sampleCodec, (event, { revision }) => {
      switch (event._tag) {
        case "NoteWritten": {
          if (event.text === "poison") throw new Error("this projection does not like poison")
          const { author, id, text } = event
          return [idTaken("cluster", id), put("notes", { id, author, text, revision })]
        }
        case "NoteChanged":
          return [patch("notes", { id: event.id }, { text: event.text, revision })]
        case "NoteRemoved":
          return [remove("notes", { id: event.id })]
        case "AuthorRemoved":
          return [removeWhere("notes", { author: event.author })]
      }
    })
  ]
}

export const event = (sample: SampleEvent): NewEvent => ({
  ...sampleCodec.encode(sample),
  id: uuidV7(),
  metadata: { actor: "system:test", commandId: uuidV7(), correlationId: "test" }
})

export const written = (id: number, text: string, author = "ann"): NewEvent => event({ _tag: "NoteWritten", id, author, text })
export const changed = (id: number, text: string): NewEvent => event({ _tag: "NoteChanged", id, text })
export const removed = (id: number): NewEvent => event({ _tag: "NoteRemoved", id })
export const authorRemoved = (author: string): NewEvent => event({ _tag: "AuthorRemoved", author })
