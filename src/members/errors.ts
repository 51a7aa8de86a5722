import { Data } from "effect"

export class MemberExists extends Data.TaggedError("MemberExists") {}

/** The user is no member here, or no longer. */
export class MemberMissing extends Data.TaggedError("MemberMissing") {}

/** Without this member nobody would be owner. */
export class LastOwner extends Data.TaggedError("LastOwner") {}

/** The level given or taken away is above that of the one who acts. */
export class AboveOwnLevel extends Data.TaggedError("AboveOwnLevel") {}

/** The group was invited before. */
export class AlreadyShared extends Data.TaggedError("AlreadyShared") {}

/** The group is not invited, or no longer. */
export class NotShared extends Data.TaggedError("NotShared") {}

export type MemberRefusal = MemberExists | MemberMissing | LastOwner | AboveOwnLevel | AlreadyShared | NotShared
