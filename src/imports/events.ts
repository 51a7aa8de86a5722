import { Schema } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"
import { SealedText } from "../platform/eventStore/secretTexts.ts"

// Storage format: add cases and optional fields, never rename.

/** What is imported: `url` is without credentials, and null for a folder of the machine; `credentials` are sealed for the stream. */
export const ImportSource = Schema.Struct({
  url: Schema.NullOr(Schema.String),
  credentials: Schema.NullOr(SealedText)
})
export type ImportSource = typeof ImportSource.Type

export const ImportEvent = Schema.TaggedUnion({
  ImportScheduled: { source: ImportSource },
  ImportStarted: {},
  /** The progress, which is recorded every few seconds at most. */
  ImportProgressed: { percent: Schema.Int },
  ImportFinished: { branches: Schema.Int, tags: Schema.Int },
  /** The reason is in words for people, without anything secret. */
  ImportFailed: { reason: Schema.String },
  /** The project was deleted. */
  ImportCancelled: {}
})
export type ImportEvent = typeof ImportEvent.Type

export const importCodec = eventCodec(ImportEvent)
