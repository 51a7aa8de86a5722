import { Schema } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"
import { SecretText } from "../platform/eventStore/secretTexts.ts"

// Storage format: add cases and optional fields, never rename.

/** Where a file lies. */
const place = {
  projectId: Schema.Int,
  /** The folder of the file in that of its project: hexadecimal digits, 32 where it was uploaded here, which nobody can have guessed. */
  secret: SecretText,
  /** The name of the file, without what could be a path. */
  name: Schema.String
}

export const UploadEvent = Schema.TaggedUnion({
  /** A file was uploaded; it is on the disk. */
  UploadAdded: { ...place, bytes: Schema.Int, sha256: Schema.String, by: Schema.Int },
  /** Nobody is given it any more. */
  UploadRemoved: { ...place, by: Schema.Int }
})
export type UploadEvent = typeof UploadEvent.Type

export const uploadCodec = eventCodec(UploadEvent)
