import type { Caller } from "../http/access/Caller.ts"

/** Whether the caller may create, change, moderate and delete users, and see what only administrators see. */
export const mayAdminister = (caller: Caller | undefined): boolean => caller?.user.admin === true

/** Whether the caller may list users: without a token only one, by name, so that nobody can collect all of them. */
export const mayList = (caller: Caller | undefined, username: string | null | undefined): boolean =>
  caller !== undefined || (username ?? "") !== ""

/** Administrators cannot block or ban themselves. */
export const mayBlock = (caller: Caller, userId: number): boolean => caller.user.id !== userId
