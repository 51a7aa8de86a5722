import { idIn } from "../kernel/streamIds.ts"

const prefix = "milestone-"

/** The stream of a milestone. */
export const milestoneStream = (id: number): string => `${prefix}${id}`

/** The milestone whose stream this is; undefined for a stream of anything else. */
export const milestoneIdOf = (stream: string): number | undefined => idIn(prefix, stream)
