/** Some of the bytes of a file, the last one included. */
export interface Range {
  readonly first: number
  readonly last: number
}

/**
 * The bytes that the header `Range` asks for of a file of so many bytes; undefined where all are sent, as for what is no such header or
 * asks for several ranges; null where the file has none of them.
 */
export const rangeOf = (header: string | undefined, bytes: number): Range | null | undefined => {
  const [, from, to] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? "") ?? []
  if (from === undefined || to === undefined || (from === "" && to === "")) return undefined
  if (from === "") return to === "0" || bytes === 0 ? null : { first: Math.max(0, bytes - Number(to)), last: bytes - 1 }
  const [first, last] = [Number(from), to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1)]
  if (to !== "" && Number(to) < first) return undefined
  return first >= bytes ? null : { first, last }
}
