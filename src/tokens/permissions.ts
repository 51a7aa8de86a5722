import type { Caller } from "../http/access/Caller.ts"

/** Whether the caller may read, revoke and rotate the tokens of a user. */
export const mayManageTokensOf = (caller: Caller, userId: number): boolean => caller.user.admin || caller.user.id === userId
