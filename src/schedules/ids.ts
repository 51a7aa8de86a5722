import { idIn } from "../kernel/streamIds.ts"

const prefix = "schedule-"

/** The stream of a pipeline schedule. */
export const scheduleStream = (id: number): string => `${prefix}${id}`

/** The schedule whose stream this is; undefined for a stream of anything else. */
export const scheduleIdOf = (stream: string): number | undefined => idIn(prefix, stream)
