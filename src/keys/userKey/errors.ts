import { Data } from "effect"

/** There is a key in this stream, or was one. */
export class KeyExists extends Data.TaggedError("KeyExists") {}

/** The key was never there, or is removed. */
export class KeyMissing extends Data.TaggedError("KeyMissing") {}

export type Refusal = KeyExists | KeyMissing
