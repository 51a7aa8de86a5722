import { Data } from "effect"

/** An answer that is not a success: exactly this status, body and headers. The body is JSON unless it is a text. */
export class WireError extends Data.TaggedError("WireError")<{
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}> {}

const message = (status: number, text: unknown): WireError => new WireError({ status, body: { message: text } })

/** Errors of one or several attributes of a record: `{"message":{"name":["…"]}}`. */
export const invalidRecord = (errors: Readonly<Record<string, ReadonlyArray<string>>>): WireError => message(400, errors)
/** The parameter layer: `{"error":"x is missing, y is invalid"}`. */
export const invalidParameters = (texts: ReadonlyArray<string>): WireError =>
  new WireError({ status: 400, body: { error: [...new Set(texts)].join(", ") } })
export const badRequest = (reason?: string): WireError => message(400, reason ?? "400 Bad request")
export const unauthorized = message(401, "401 Unauthorized")
export const forbidden = message(403, "403 Forbidden")
export const forbiddenBecause = (reason: string): WireError => message(403, `403 Forbidden - ${reason}`)
/** A record that is absent or hidden. */
export const notFound = message(404, "404 Not found")
/** What the installation does not offer. */
export const notOffered = message(404, "404 Not Found")
/** A missing thing that the endpoint names: `404 User Not Found`. */
export const thingNotFound = (thing: string): WireError => message(404, `404 ${thing} Not Found`)
export const unknownRoute = new WireError({ status: 404, body: { error: "404 Not Found" } })
export const conflict = (text: string): WireError => message(409, text)
/** The error for a repeated request whose answer held a secret, such as `personal access token 7`. */
export const secretIsGone = (secretOf: string): WireError =>
  conflict(`This request was carried out already, and its secret is shown only once: ${secretOf}`)
export const preconditionFailed = message(412, "412 Precondition Failed")
export const unprocessable = (text: string): WireError => message(422, text)
/** A client that stands still would keep its connection for ever. */
export const requestTimeout = new WireError({
  status: 408,
  body: { error: "408 Request Timeout" },
  headers: { connection: "close" }
})
export const payloadTooLarge = message(413, "413 Request Entity Too Large")
export const internalError = message(500, "500 Internal Server Error")
export const serviceUnavailable = (text: string, retryAfterSeconds: number): WireError =>
  new WireError({ status: 503, body: { message: text }, headers: { "retry-after": String(retryAfterSeconds) } })
export const tokenError = (error: string, description: string): WireError =>
  new WireError({
    status: 401,
    body: { error, error_description: description },
    headers: {
      "www-authenticate": `Bearer realm="Protected by OAuth 2.0", error="${error}", error_description="${description}"`
    }
  })
export const insufficientScope = (scopes: ReadonlyArray<string>): WireError =>
  new WireError({
    status: 403,
    body: {
      error: "insufficient_scope",
      error_description: "The request requires higher privileges than provided by the access token.",
      scope: scopes.join(" ")
    }
  })
