import type { Caller } from "../http/access/Caller.ts"

/** Who may create, change, moderate and delete users, and see what only administrators see. */
export const mayAdminister = (caller: Caller | undefined): boolean => caller?.user.admin === true

/** Without a token only one user can be asked for, by name, so that nobody can collect all of them. */
export const mayList = (caller: Caller | undefined, username: string | null | undefined): boolean =>
  caller !== undefined || (username ?? "") !== ""

/** Administrators cannot shut themselves out. */
export const mayShutOut = (caller: Caller, userId: number): boolean => caller.user.id !== userId
