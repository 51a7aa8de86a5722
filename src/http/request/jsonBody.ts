import { Result } from "effect"
import type { WireError } from "../answer/errors.ts"
import { isFields, type RawParameters } from "../parameters/rawParameters.ts"
import { malformedJson, nestedTooDeep, tooManyParameters } from "./errors.ts"
import { maxDepth, maxParameters } from "./limits.ts"
import { textOfBytes } from "./queryString.ts"

const none: RawParameters = Object.freeze({})
const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** So many bytes are looked at between two pauses, in some milliseconds. */
const slice = 1024 * 1024

/** Looks at the brackets and commas only: deep or crowded documents would cost seconds to parse. */
const limitExceededBy = function* (bytes: Uint8Array): Generator<void, WireError | undefined, void> {
  let depth = 0
  let values = 1
  let inText = false
  let next = slice
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) inText = !inText
    else if (inText) at += byte === backslash ? 1 : 0
    else if (byte === comma) values++
    else if (byte === openBracket || byte === openBrace) depth++
    else if (byte === closeBracket || byte === closeBrace) depth--
    if (depth > maxDepth) return nestedTooDeep("request body")
    if (values > maxParameters) return tooManyParameters("request body")
    if (at >= next) {
      next = at + slice
      yield
    }
  }
  return undefined
}

/** The parameters of a JSON body; a document that is no object has none. Yields where a large one may pause. */
export const parseJson = function* (bytes: Uint8Array): Generator<void, Result.Result<RawParameters, WireError>, void> {
  const exceeded = yield* limitExceededBy(bytes)
  if (exceeded !== undefined) return Result.fail(exceeded)
  const text = textOfBytes(bytes)
  if (text === undefined) return Result.fail(malformedJson)
  // Decoding and parsing each take their time.
  if (bytes.length > slice) yield
  if (text.trim() === "") return Result.succeed(none)
  try {
    const document: unknown = JSON.parse(text)
    return Result.succeed(isFields(document) ? document : none)
  } catch {
    return Result.fail(malformedJson)
  }
}
