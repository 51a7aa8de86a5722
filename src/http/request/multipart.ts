import { Result } from "effect"
import { MultipartParser } from "effect/http"
import type { WireError } from "../answer/errors.ts"
import type { RawParameters } from "../parameters/rawParameters.ts"
import { nestFields, pathOfName } from "./bracketNames.ts"
import { malformedMultipart, malformedText, nestedTooDeep, tooManyParameters } from "./errors.ts"
import { maxContentBytes, maxDepth, maxParameters } from "./limits.ts"
import { textOfBytes } from "./queryString.ts"

const ignoreFile = () => () => {}

const errorOf = (error: MultipartParser.MultipartError): WireError =>
  error._tag === "ReachedLimit" ? tooManyParameters("request body") : malformedMultipart

/** So many bytes are taken apart between two pauses: a body that is full of what looks like boundaries takes some milliseconds for them. */
const pieceBytes = 256 * 1024

/** The text parts of a multipart body; files are ignored. Yields where a large one may pause. */
export const parseMultipart = function* (
  bytes: Uint8Array,
  contentType: string
): Generator<void, Result.Result<RawParameters, WireError>, void> {
  const pairs: Array<readonly [ReadonlyArray<string>, string]> = []
  const errors: Array<WireError> = []
  const parser = MultipartParser.make({
    headers: { "content-type": contentType },
    maxParts: maxParameters,
    maxFieldSize: maxContentBytes,
    // What follows the closing boundary arrives without a header, whatever the type says.
    onField: (part: MultipartParser.PartInfo | undefined, value) => {
      if (part === undefined) {
        errors.push(malformedMultipart)
        return
      }
      const path = pathOfName(part.name)
      const text = textOfBytes(value)
      if (text === undefined) errors.push(malformedText("multipart body"))
      else if (path.length > maxDepth) errors.push(nestedTooDeep("request body"))
      else pairs.push([path, text])
    },
    onFile: ignoreFile,
    onError: (error) => errors.push(errorOf(error)),
    onDone: () => {}
  })
  for (let at = 0; at < bytes.length && errors.length === 0; at += pieceBytes) {
    if (at > 0) yield
    parser.write(bytes.subarray(at, at + pieceBytes))
  }
  if (errors.length === 0) parser.end()
  const [error] = errors
  return error === undefined ? Result.succeed(nestFields(pairs)) : Result.fail(error)
}
