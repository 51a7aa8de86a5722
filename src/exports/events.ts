import { Schema } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

/** A file as it was written: the digest is that of its bytes as they are given, and its name in the folder of the export. */
export const ExportedFile = Schema.Struct({ sha256: Schema.String, bytes: Schema.Int })
export type ExportedFile = typeof ExportedFile.Type

/** The number of the export among those of its project. */
const number = Schema.Int
const relation = Schema.String
/** From 1. */
const batch = Schema.Int

export const ExportEvent = Schema.TaggedUnion({
  /** It takes the place of the one before, with all its files. */
  ExportRequested: {
    number,
    by: Schema.Int,
    isBatched: Schema.Boolean,
    /** In the order in which they are exported. */
    relations: Schema.Array(Schema.Struct({ name: relation, isBatched: Schema.Boolean }))
  },
  /** What the relations hold was copied as it was at one position of the log, with the number of records of each. */
  RelationsTaken: {
    number,
    position: Schema.Int,
    relations: Schema.Array(Schema.Struct({ name: relation, objects: Schema.Int }))
  },
  BatchExported: { number, relation, batch, objects: Schema.Int, file: ExportedFile },
  /** The error is in words for people. */
  BatchFailed: { number, relation, batch, error: Schema.String },
  /** The file is null for a relation in batches, which have files of their own. */
  RelationExported: { number, relation, file: Schema.NullOr(ExportedFile) },
  RelationFailed: { number, relation, error: Schema.String },
  /** Nothing of it is under way any more. */
  ExportFinished: { number, at: Schema.Int },
  /** Its files are not kept any longer. */
  ExportExpired: { number }
})
export type ExportEvent = typeof ExportEvent.Type

export const exportCodec = eventCodec(ExportEvent)
