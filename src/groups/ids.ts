import { idIn } from "../kernel/streamIds.ts"

const prefix = "group-"

/** The stream of a group. */
export const groupStream = (id: number): string => `${prefix}${id}`

/** The group whose stream this is; undefined for a stream of anything else. */
export const groupIdOf = (stream: string): number | undefined => idIn(prefix, stream)
