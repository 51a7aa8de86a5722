import { ByteSize, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { payloadTooLarge, type WireError } from "./errors.ts"
import { bodyCutShort } from "./requestErrors.ts"
import { maxBodyBytes } from "./requestLimits.ts"

const empty = new Uint8Array(0)
const limit = ByteSize.bytes(maxBodyBytes)

/**
 * The bytes of a request's body. Bodies of GET and HEAD requests are ignored, as in the reference. Fails with 413 as soon as
 * a body turns out to be too large, before reading it if its declared length says so. Stops when the client goes away.
 */
export const readBody = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Uint8Array, WireError> => {
  const declared = request.headers["content-length"]
  if (request.method === "GET" || request.method === "HEAD" || declared === "0") return Effect.succeed(empty)
  if (declared !== undefined && Number(declared) > maxBodyBytes) return Effect.fail(payloadTooLarge)
  return request.arrayBuffer.pipe(
    Effect.provideService(HttpServerRequest.MaxBodySize, limit),
    Effect.map((buffer) => new Uint8Array(buffer)),
    Effect.mapError(({ reason }) =>
      reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge" ? payloadTooLarge : bodyCutShort
    )
  )
}
