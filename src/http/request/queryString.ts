import { Result } from "effect"
import type { WireError } from "../answer/errors.ts"
import { nestFields, pathOfName } from "./bracketNames.ts"
import { malformedText, nestedTooDeep, tooManyParameters } from "./errors.ts"
import { maxDepth, maxParameters } from "./limits.ts"
import type { RawParameters } from "./rawParameters.ts"

const decodeText = (text: string): string | undefined => {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text
  if (!spaced.includes("%")) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return undefined
  }
}

type Pair = readonly [path: ReadonlyArray<string>, value: string | null]

/**
 * The parameters of a query or of a form body; `part` names it in errors. A name without `=` has the value null,
 * of a repeated one the last counts. Fails on what is not percent-encoded UTF-8, and beyond the limits.
 */
export const parseForm = (text: string, part: string): Result.Result<RawParameters, WireError> => {
  // One part more than allowed is split off, to detect more.
  const parts = text.split("&", maxParameters + 1)
  if (parts.length > maxParameters) return Result.fail(tooManyParameters(part))
  const pairs: Array<Pair> = []
  for (const pair of parts) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const name = decodeText(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? null : decodeText(pair.slice(equals + 1))
    if (name === undefined || value === undefined) return Result.fail(malformedText(part))
    const path = pathOfName(name)
    if (path.length > maxDepth) return Result.fail(nestedTooDeep(part))
    pairs.push([path, value])
  }
  return Result.succeed(nestFields(pairs))
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The text of UTF-8 bytes, or undefined when they are not. */
export const textOfBytes = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

// Node hands over the bytes of a request line one by one as characters.
const hasRawBytes = (text: string): boolean => /[\x80-\xff]/.test(text)

/** The parameters of a URL's query, without its question mark. */
export const parseQuery = (query: string): Result.Result<RawParameters, WireError> => {
  const text = hasRawBytes(query) ? textOfBytes(Buffer.from(query, "latin1")) : query
  return text === undefined ? Result.fail(malformedText("query string")) : parseForm(text, "query string")
}
