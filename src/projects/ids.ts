const prefix = "project-"

/** The stream of a project. */
export const projectStream = (id: number): string => `${prefix}${id}`

/** The project whose stream this is; undefined for a stream of anything else. */
export const projectIdOf = (stream: string): number | undefined => {
  const digits = stream.startsWith(prefix) ? stream.slice(prefix.length) : ""
  return /^\d+$/.test(digits) ? Number(digits) : undefined
}
