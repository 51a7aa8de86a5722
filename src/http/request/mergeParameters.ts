import { Result } from "effect"
import type { WireError } from "../answer/errors.ts"
import { malformedText, unsupportedEncoding, unsupportedType } from "./errors.ts"
import { parseJson } from "./jsonBody.ts"
import { parseMultipart } from "./multipart.ts"
import { parseForm, parseQuery, textOfBytes } from "./queryString.ts"
import { emptyFields, type RawParameters } from "./rawParameters.ts"

/** The places of a request that carry parameters. */
export interface RequestParts {
  /** The decoded parameters of the route's path. */
  readonly path: RawParameters
  /** The query as sent, without the question mark; empty if there is none. */
  readonly query: string
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  /** The bytes of the body; empty if there is none. */
  readonly body: Uint8Array
}

const none: Result.Result<RawParameters, WireError> = Result.succeed(Object.freeze({}))

/** Merges all parameters of a request into one object. Those of the body win over those of the query, those of the path over both. */
export const mergeParameters = (parts: RequestParts): Result.Result<RawParameters, WireError> => {
  const query = parts.query === "" ? none : parseQuery(parts.query)
  if (Result.isFailure(query)) return query
  const body = parts.body.length === 0 ? none : parseBody(parts)
  if (Result.isFailure(body)) return body
  return Result.succeed(Object.assign(emptyFields(), query.success, body.success, parts.path))
}

const parseBody = ({ body, contentType, contentEncoding }: RequestParts): Result.Result<RawParameters, WireError> => {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== "identity") {
    return Result.fail(unsupportedEncoding(contentEncoding))
  }
  // A body without a type is JSON, the format of this interface.
  const mediaType = mediaTypeOf(contentType ?? "application/json")
  switch (mediaType) {
    case "application/json":
      return parseJson(body)
    case "application/x-www-form-urlencoded":
      return parseFormBody(body)
    case "multipart/form-data":
      return parseMultipart(body, contentType ?? "")
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

const parseFormBody = (bytes: Uint8Array): Result.Result<RawParameters, WireError> => {
  const text = textOfBytes(bytes)
  return text === undefined ? Result.fail(malformedText("request body")) : parseForm(text, "request body")
}
