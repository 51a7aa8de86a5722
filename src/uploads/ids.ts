import { idIn } from "../kernel/streamIds.ts"

const prefix = "upload-"

/** The stream of an upload. */
export const uploadStream = (id: number): string => `${prefix}${id}`

/** The upload whose stream this is; undefined for a stream of anything else. */
export const uploadIdOf = (stream: string): number | undefined => idIn(prefix, stream)
