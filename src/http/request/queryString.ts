import { Result } from "effect"
import { atOnce } from "../../kernel/inSlices.ts"
import type { WireError } from "../answer/errors.ts"
import type { RawParameters } from "../parameters/rawParameters.ts"
import { nestFields, pathOfName } from "./bracketNames.ts"
import { malformedText, nestedTooDeep, tooManyParameters } from "./errors.ts"
import { maxDepth, maxParameters } from "./limits.ts"

/** So many characters or bytes are looked at between two pauses, in some milliseconds. */
const slice = 1024 * 1024

/** Whether a text may be cut here: neither within an escape such as `%20`, nor between those of one character. */
const mayCut = (text: string, at: number): boolean =>
  text[at - 1] !== "%" && text[at - 2] !== "%" && !(text[at] === "%" && /[89ab]/i.test(text[at + 1] ?? ""))

/** Yields where a large text may pause; undefined where it is not percent-encoded UTF-8. */
const decodeText = function* (text: string): Generator<void, string | undefined, void> {
  if (!text.includes("%")) return text
  let decoded = ""
  try {
    for (let from = 0, to = slice; from < text.length; from = to, to += slice) {
      while (to < text.length && !mayCut(text, to)) to++
      decoded += decodeURIComponent(text.slice(from, to))
      if (to < text.length) yield
    }
    return decoded
  } catch {
    return undefined
  }
}

const [plus, space] = [0x2b, 0x20]

/** In forms a `+` stands for a space. Yields where a large one may pause. */
export const spacesForPluses = function* (bytes: Uint8Array): Generator<void, void, void> {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === plus) bytes[at] = space
    if (at % slice === slice - 1) yield
  }
}

type Pair = readonly [path: ReadonlyArray<string>, value: string | null]

/**
 * The parameters of a query or of a form body without a `+`; `part` names it in errors. A name without `=` has the value null,
 * of a repeated one the last counts. Fails on what is not percent-encoded UTF-8, and beyond the limits. Yields where a large one may
 * pause.
 */
export const parseForm = function* (text: string, part: string): Generator<void, Result.Result<RawParameters, WireError>, void> {
  // One part more than allowed is split off, to detect more.
  const parts = text.split("&", maxParameters + 1)
  if (parts.length > maxParameters) return Result.fail(tooManyParameters(part))
  const pairs: Array<Pair> = []
  for (const pair of parts) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const name = yield* decodeText(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? null : yield* decodeText(pair.slice(equals + 1))
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

const none: Result.Result<RawParameters> = Result.succeed(Object.freeze({}))

/** The parameters of a URL's query, without its question mark. */
export const parseQuery = (query: string): Result.Result<RawParameters, WireError> => {
  if (query === "") return none
  const text = hasRawBytes(query) ? textOfBytes(Buffer.from(query, "latin1")) : query
  return text === undefined
    ? Result.fail(malformedText("query string"))
    : atOnce(parseForm(text.replaceAll("+", " "), "query string"))
}
