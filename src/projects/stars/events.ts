import { Schema } from "effect"
import { eventCodec } from "../../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

const star = { projectId: Schema.Int, userId: Schema.Int }

/** The star of a user at a project was given, or taken back. */
export const StarEvent = Schema.TaggedUnion({ ProjectStarred: star, ProjectUnstarred: star })
export type StarEvent = typeof StarEvent.Type

export const starCodec = eventCodec(StarEvent)
