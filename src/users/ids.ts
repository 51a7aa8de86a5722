import { idIn } from "../kernel/streamIds.ts"

const prefix = "user-"

/** The stream of a user. */
export const userStream = (id: number): string => `${prefix}${id}`

/** The user whose stream this is; undefined for a stream of anything else. */
export const userIdOf = (stream: string): number | undefined => idIn(prefix, stream)
