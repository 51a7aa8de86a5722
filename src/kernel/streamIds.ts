/** The id in the name of a stream, `<prefix><id>`; undefined for a stream of anything else. */
export const idIn = (prefix: string, stream: string): number | undefined => {
  const digits = stream.startsWith(prefix) ? stream.slice(prefix.length) : ""
  return /^\d+$/.test(digits) ? Number(digits) : undefined
}
