import { Result } from "effect"
import type { WireError } from "../answer/errors.ts"
import { malformedJson, nestedTooDeep, tooManyParameters } from "./errors.ts"
import { maxDepth, maxParameters } from "./limits.ts"
import { textOfBytes } from "./queryString.ts"
import { isFields, type RawParameters } from "./rawParameters.ts"

const none: RawParameters = Object.freeze({})
const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Looks at the brackets and commas only: deep or crowded documents would cost seconds to parse. */
const limitExceededBy = (bytes: Uint8Array): WireError | undefined => {
  let depth = 0
  let values = 1
  let inText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) inText = !inText
    else if (inText) at += byte === backslash ? 1 : 0
    else if (byte === comma) values++
    else if (byte === openBracket || byte === openBrace) depth++
    else if (byte === closeBracket || byte === closeBrace) depth--
    if (depth > maxDepth) return nestedTooDeep("request body")
    if (values > maxParameters) return tooManyParameters("request body")
  }
  return undefined
}

/** The parameters of a JSON body; a document that is no object has none. */
export const parseJson = (bytes: Uint8Array): Result.Result<RawParameters, WireError> => {
  const exceeded = limitExceededBy(bytes)
  if (exceeded !== undefined) return Result.fail(exceeded)
  const text = textOfBytes(bytes)
  if (text === undefined) return Result.fail(malformedJson)
  if (text.trim() === "") return Result.succeed(none)
  try {
    const document: unknown = JSON.parse(text)
    return Result.succeed(isFields(document) ? document : none)
  } catch {
    return Result.fail(malformedJson)
  }
}
