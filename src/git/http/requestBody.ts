import type { Readable, Writable } from "node:stream"
import { createGunzip } from "node:zlib"
import { Data } from "effect"
import type { Exchange } from "./exchange.ts"

/** A body that is not given to git. */
export class BodyRefused extends Data.TaggedError("BodyRefused")<{
  readonly status: 400 | 413 | 415
  readonly text: string
}> {}

const undecodable = new BodyRefused({ status: 400, text: "The body of the request is not what its Content-Encoding says." })
const unknownEncoding = new BodyRefused({ status: 415, text: "The Content-Encoding of the request is not supported." })

/** Why the headers of a call to a service do not fit; undefined when they do. */
export const headerFault = ({ request }: Exchange, contentType: string): BodyRefused | undefined => {
  const { "content-encoding": encoding = "identity", "content-type": type = "" } = request.headers
  if (type.split(";")[0]?.trim().toLowerCase() !== contentType)
    return new BodyRefused({ status: 415, text: `The Content-Type of the request must be ${contentType}.` })
  return ["identity", "gzip", "x-gzip"].includes(encoding.toLowerCase()) ? undefined : unknownEncoding
}

export interface PumpOptions {
  /** Inspects each decompressed piece before it goes on; a fault ends the request. */
  readonly inspect: (chunk: Buffer) => BodyRefused | undefined
  readonly onFault: (fault: BodyRefused) => void
  /** Called when the whole body has arrived, whether or not git read it. */
  readonly onComplete: () => void
}

/**
 * Gives the body of a request to a process piece by piece, as fast as that takes it; when it takes no more, the rest is read and
 * thrown away, because clients send everything before they read. Answers how to leave off: then nothing more of it is read here.
 */
export const pump = (exchange: Exchange, target: Writable, { inspect, onComplete, onFault }: PumpOptions): (() => void) => {
  const { request, response } = exchange
  // A client that sent `expect` is asked for the body only now.
  if (request.headers.expect !== undefined && !response.headersSent) response.writeContinue()
  const isPacked = /gzip/i.test(request.headers["content-encoding"] ?? "")
  const source: Readable = isPacked ? request.pipe(createGunzip()) : request
  let isOver = false
  const leave = () => {
    isOver = true
    if (source !== request) request.unpipe()
    source.removeAllListeners("data")
  }
  const fail = (fault: BodyRefused) => {
    if (isOver) return
    leave()
    target.destroy()
    onFault(fault)
  }
  const wake = () => source.resume()
  source.on("data", (chunk: Buffer) => {
    const fault = inspect(chunk)
    if (fault !== undefined) return fail(fault)
    if (target.writable && !target.write(chunk)) source.pause()
  })
  target.on("drain", wake)
  target.once("close", wake)
  source.once("end", () => {
    if (isOver) return
    isOver = true
    target.end()
    onComplete()
  })
  if (source !== request) source.once("error", () => fail(undecodable))
  return leave
}
