import { WireError } from "../answer/errors.ts"
import { maxDepth, maxParameters } from "./limits.ts"

const malformed = (text: string): WireError => new WireError({ status: 400, body: { error: text } })
const unsupported = (text: string): WireError => new WireError({ status: 415, body: { error: text } })

export const malformedJson = malformed(
  "\nProblem:\n  message body does not match declared format\nResolution:\n  " +
    "when specifying application/json as content-type, you must pass valid application/json in the request's 'body' "
)

/** Gap: the reference shows no text for these; the part that cannot be read is named. */
export const malformedMultipart = malformed("the multipart body is malformed")
export const malformedText = (part: string): WireError => malformed(`the ${part} is not valid percent-encoded UTF-8 text`)
export const nestedTooDeep = (part: string): WireError => malformed(`the ${part} is nested deeper than ${maxDepth} levels`)
export const tooManyParameters = (part: string): WireError => malformed(`the ${part} has more than ${maxParameters} parameters`)
export const sudoInLargeBody = malformed("sudo is only looked for in small bodies: send it as a header or in the query")
export const bodyCutShort = malformed("the request body ended early")

export const unsupportedType = (mediaType: string): WireError =>
  unsupported(`The provided content-type '${mediaType}' is not supported.`)
/** Gap: bodies are small, so compressed ones are refused. */
export const unsupportedEncoding = (encoding: string): WireError =>
  unsupported(`The provided content-encoding '${encoding}' is not supported.`)
