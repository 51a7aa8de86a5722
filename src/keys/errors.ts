import { Data } from "effect"
import type { Fault } from "../kernel/faults.ts"

/** Everything that is wrong with the requested key. */
export class KeyInvalid extends Data.TaggedError("KeyInvalid")<{ readonly faults: ReadonlyArray<Fault> }> {}

/** The user whose key it would be is deleted. */
export class OwnerMissing extends Data.TaggedError("OwnerMissing") {}
