import { everybody, type Somebody } from "#test/support/people/everybody.ts"

/** Callers who are told the same everywhere. */
export const exceptions = ["blocked owner", "unknown token", "token for reading", "token for nothing"] as const
export type Exception = (typeof exceptions)[number]
export type Asker = Somebody | Exception
export const askers: ReadonlyArray<Asker> = [...everybody, ...exceptions]

/** The name of a caller in paths and refs. */
export const slugOf = (asker: Asker): string => asker.replaceAll(" ", "-")
