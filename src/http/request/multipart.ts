import { Result } from "effect"
import { MultipartParser } from "effect/http"
import type { WireError } from "../answer/errors.ts"
import { nestFields, pathOfName } from "./bracketNames.ts"
import { malformedMultipart, malformedText, nestedTooDeep, tooManyParameters } from "./errors.ts"
import { maxContentBytes, maxDepth, maxParameters } from "./limits.ts"
import { textOfBytes } from "./queryString.ts"
import type { RawParameters } from "./rawParameters.ts"

const ignoreFile = () => () => {}

const errorOf = (error: MultipartParser.MultipartError): WireError =>
  error._tag === "ReachedLimit" ? tooManyParameters("request body") : malformedMultipart

/** The text parts of a multipart body; files are ignored. */
export const parseMultipart = (bytes: Uint8Array, contentType: string): Result.Result<RawParameters, WireError> => {
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
  parser.write(bytes)
  parser.end()
  const [error] = errors
  return error === undefined ? Result.succeed(nestFields(pairs)) : Result.fail(error)
}
