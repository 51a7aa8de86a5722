import { Result } from "effect"
import type { WireError } from "../answer/errors.ts"
import { isFields, type RawParameters } from "../parameters/rawParameters.ts"
import { malformedJson, nestedTooDeep, tooManyParameters } from "./errors.ts"
import { excessIn } from "./jsonExcess.ts"
import { maxDepth, maxParameters } from "./limits.ts"
import { textOfBytes } from "./queryString.ts"

const none: RawParameters = Object.freeze({})
/** So many bytes are decoded or parsed between two pauses, in some milliseconds. */
const slice = 1024 * 1024

const part = "request body"
const limits = { depth: maxDepth, values: maxParameters, countsNesting: false }

/** The parameters of a JSON body; a document that is no object has none. Yields where a large one may pause. */
export const parseJson = function* (bytes: Uint8Array): Generator<void, Result.Result<RawParameters, WireError>, void> {
  const excess = yield* excessIn(bytes, limits)
  if (excess !== undefined) return Result.fail(excess === "depth" ? nestedTooDeep(part) : tooManyParameters(part))
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
