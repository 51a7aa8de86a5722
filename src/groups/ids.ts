const prefix = "group-"

/** The stream of a group. */
export const groupStream = (id: number): string => `${prefix}${id}`

/** The group whose stream this is; undefined for a stream of anything else. */
export const groupIdOf = (stream: string): number | undefined => {
  const digits = stream.startsWith(prefix) ? stream.slice(prefix.length) : ""
  return /^\d+$/.test(digits) ? Number(digits) : undefined
}
