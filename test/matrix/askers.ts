import { callers } from "./grid.ts"

/** Callers who are told the same everywhere. */
export const exceptions = ["blocked owner", "unknown token", "token for reading", "token for nothing"] as const
export type Exception = (typeof exceptions)[number]
export type Asker = (typeof callers)[number] | Exception
export const askers: ReadonlyArray<Asker> = [...callers, ...exceptions]

/** The name of a caller in paths and refs. */
export const slugOf = (asker: Asker): string => asker.replaceAll(" ", "-")
