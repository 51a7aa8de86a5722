import { Result } from "effect"
import type { WireError } from "../answer/errors.ts"
import { emptyFields, type RawParameters } from "../parameters/rawParameters.ts"
import { malformedText, unsupportedEncoding, unsupportedType } from "./errors.ts"
import { parseJson } from "./jsonBody.ts"
import { parseMultipart } from "./multipart.ts"
import { parseForm, spacesForPluses, textOfBytes } from "./queryString.ts"

/** The places of a request that carry parameters, as they were read. */
export interface RequestParts {
  /** The decoded parameters of the route's path. */
  readonly path: RawParameters
  readonly query: RawParameters
  readonly body: RawParameters
}

/** All parameters of a request in one object. Those of the body win over those of the query, those of the path over both. */
export const mergeParameters = ({ body, path, query }: RequestParts): RawParameters =>
  Object.assign(emptyFields(), query, body, path)

export interface BodyParts {
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  /** The bytes of the body, which nobody else reads; empty if there is none. */
  readonly body: Uint8Array
}

/** The parameters of a body. Yields where large ones may pause. */
export const parseBody = function* ({
  body,
  contentEncoding,
  contentType
}: BodyParts): Generator<void, Result.Result<RawParameters, WireError>, void> {
  if (body.length === 0) return Result.succeed({})
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== "identity") {
    return Result.fail(unsupportedEncoding(contentEncoding))
  }
  // A body without a type is JSON, the format of this interface.
  const mediaType = mediaTypeOf(contentType ?? "application/json")
  switch (mediaType) {
    case "application/json":
      return yield* parseJson(body)
    case "application/x-www-form-urlencoded":
      return yield* parseFormBody(body)
    case "multipart/form-data":
      return yield* parseMultipart(body, contentType ?? "")
    default:
      return Result.fail(unsupportedType(mediaType))
  }
}

/**
 * The media type of a header, such as `application/json` of `Application/JSON; charset=utf-8`. Gap: other charsets are read as UTF-8
 * too.
 */
const mediaTypeOf = (contentType: string): string => {
  const end = contentType.indexOf(";")
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
}

const parseFormBody = function* (bytes: Uint8Array): Generator<void, Result.Result<RawParameters, WireError>, void> {
  yield* spacesForPluses(bytes)
  const text = textOfBytes(bytes)
  return text === undefined ? Result.fail(malformedText("request body")) : yield* parseForm(text, "request body")
}
