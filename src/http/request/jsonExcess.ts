const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** So many bytes are looked at between two pauses, in some milliseconds. */
const slice = 1024 * 1024

/** What a JSON document may have at most. */
export interface JsonLimits {
  readonly depth: number
  /** Values are counted by the commas between them. */
  readonly values: number
  /** Whether each list and each object counts as one more, so that those with a single value do too. */
  readonly countsNesting: boolean
}

/**
 * What a JSON document has too much of, if anything. Looks at the brackets and commas only, before it is parsed: deep or crowded documents
 * would cost seconds, and the memory of the machine. Yields where a large one may pause.
 */
export const excessIn = function* (bytes: Uint8Array, limits: JsonLimits): Generator<void, "depth" | "values" | undefined, void> {
  let depth = 0
  let values = 1
  let isInText = false
  let next = slice
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) isInText = !isInText
    else if (isInText) at += byte === backslash ? 1 : 0
    else if (byte === comma) values++
    else if (byte === closeBracket || byte === closeBrace) depth--
    else if (byte === openBracket || byte === openBrace) {
      depth++
      if (limits.countsNesting) values++
    }
    if (depth > limits.depth) return "depth"
    if (values > limits.values) return "values"
    if (at >= next) {
      next = at + slice
      yield
    }
  }
  return undefined
}
