import { Data } from "effect"
import type { MemberRefusal } from "../members/errors.ts"
import type { GroupFault } from "./faults.ts"

/** Everything that is wrong with the requested group. */
export class GroupInvalid extends Data.TaggedError("GroupInvalid")<{ readonly faults: ReadonlyArray<GroupFault> }> {}

/** There is a group in this stream, or was one. */
export class GroupExists extends Data.TaggedError("GroupExists") {}

/** The group was never there, or is deleted. */
export class GroupMissing extends Data.TaggedError("GroupMissing") {}

/** The group is below that one, or at the top level, already. */
export class GroupInPlace extends Data.TaggedError("GroupInPlace") {}

/** The group would be below itself. */
export class GroupBelowItself extends Data.TaggedError("GroupBelowItself") {}

/** The group has another path, or another group above it, than when the command was made. */
export class GroupMoved extends Data.TaggedError("GroupMoved") {}

export type Refusal = GroupInvalid | GroupExists | GroupMissing | GroupInPlace | GroupBelowItself | GroupMoved | MemberRefusal
