import { Effect } from "effect"
import { payloadTooLarge, requestTimeout, type WireError } from "../answer/errors.ts"
import { bodyCutShort } from "./errors.ts"
import type { Incoming } from "./Incoming.ts"
import { maxBodyBytes } from "./limits.ts"

const empty = new Uint8Array(0)
const none = Effect.succeed(empty)
/** A body has to arrive within this time. */
const bodyTimeout = "5 minutes"

/**
 * The bytes of a request's body. Bodies of GET and HEAD requests are ignored, as in the reference. Fails with 413 as soon as
 * a body turns out to be too large, before reading it if its declared length says so. Stops when the client goes away.
 */
export const readBody = (incoming: Incoming): Effect.Effect<Uint8Array, WireError> => {
  const declared = incoming.headers["content-length"]
  if (incoming.method === "GET" || incoming.method === "HEAD" || declared === "0") return none
  if (declared !== undefined && Number(declared) > maxBodyBytes) return Effect.fail(payloadTooLarge)
  return Effect.timeoutOrElse(collect(incoming), { duration: bodyTimeout, orElse: () => Effect.fail(requestTimeout) })
}

const collect = (incoming: Incoming): Effect.Effect<Uint8Array, WireError> =>
  Effect.callback((resume) => {
    const source = incoming.body()
    const chunks: Array<Buffer> = []
    let size = 0
    const stop = () => {
      source.off("data", onData).off("end", onEnd).off("close", onClose)
    }
    const settle = (outcome: Effect.Effect<Uint8Array, WireError>) => {
      stop()
      resume(outcome)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBodyBytes) chunks.push(chunk)
      else {
        source.pause()
        settle(Effect.fail(payloadTooLarge))
      }
    }
    const onEnd = () => settle(Effect.succeed(Buffer.concat(chunks, size)))
    const onClose = () => settle(Effect.fail(bodyCutShort))
    if (source.destroyed) return onClose()
    // A connection that breaks is an error of the request, and then its end.
    source.on("error", () => {})
    source.on("data", onData).on("end", onEnd).on("close", onClose)
    return Effect.sync(stop)
  })
