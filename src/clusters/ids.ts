const prefix = "cluster-"

/** The stream of a cluster. */
export const clusterStream = (id: number): string => `${prefix}${id}`

/** The cluster whose stream this is; undefined for a stream of anything else. */
export const clusterIdOf = (stream: string): number | undefined => {
  const digits = stream.startsWith(prefix) ? stream.slice(prefix.length) : ""
  return /^\d+$/.test(digits) ? Number(digits) : undefined
}
