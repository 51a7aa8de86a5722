import { Data } from "effect"
import type { AccountStatus } from "./state.ts"

/** There is a user in this stream, or was one. */
export class UserExists extends Data.TaggedError("UserExists") {}

/** The user was never there, or is deleted. */
export class UserMissing extends Data.TaggedError("UserMissing") {}

/** A user who stands like this cannot be moderated so. */
export class StatusForbids extends Data.TaggedError("StatusForbids")<{ readonly status: AccountStatus }> {}

/** The user was active within the last `days` days. */
export class RecentlyActive extends Data.TaggedError("RecentlyActive")<{ readonly days: number }> {}

export type Refusal = UserExists | UserMissing | StatusForbids | RecentlyActive
