import { idIn } from "../kernel/streamIds.ts"

const prefix = "personalAccessToken-"

/** The stream of a personal access token. */
export const tokenStream = (id: number): string => `${prefix}${id}`

/** The token whose stream this is; undefined for a stream of anything else. */
export const tokenIdOf = (stream: string): number | undefined => idIn(prefix, stream)
