import { idIn } from "../kernel/streamIds.ts"

const prefix = "cluster-"

/** The stream of a cluster. */
export const clusterStream = (id: number): string => `${prefix}${id}`

/** The cluster whose stream this is; undefined for a stream of anything else. */
export const clusterIdOf = (stream: string): number | undefined => idIn(prefix, stream)
