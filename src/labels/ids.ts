import { idIn } from "../kernel/streamIds.ts"

const prefix = "label-"

/** The stream of a label. */
export const labelStream = (id: number): string => `${prefix}${id}`

/** The label whose stream this is; undefined for a stream of anything else. */
export const labelIdOf = (stream: string): number | undefined => idIn(prefix, stream)
