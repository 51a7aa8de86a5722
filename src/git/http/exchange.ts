import type { IncomingMessage, ServerResponse } from "node:http"
import { drain } from "../../platform/drain.ts"

/** A request with the answer to it. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Says that the client went away before it had its answer, or that the service stops. */
  readonly gone: AbortSignal
}

/** The headers that `git http-backend` sends. */
const neverCached = {
  expires: "Fri, 01 Jan 1980 00:00:00 GMT",
  pragma: "no-cache",
  "cache-control": "no-cache, max-age=0, must-revalidate"
}

/** At most this many bytes of an unread body are drained; beyond, the connection is closed. */
const maxDrained = 1024 * 1024

/** Answers with a text that clients show, unless an answer has begun: then the connection is broken off. */
export const answerText = (
  exchange: Exchange,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {}
): void => {
  const { response } = exchange
  if (response.headersSent) {
    response.destroy()
    return
  }
  const body = text.endsWith("\n") ? text : `${text}\n`
  const type = "text/plain; charset=utf-8"
  response.writeHead(status, {
    ...neverCached,
    "content-type": type,
    "content-length": String(Buffer.byteLength(body)),
    ...headers
  })
  response.end(body)
  drain(exchange.request, maxDrained)
}

/** Ends an answer that has begun; nothing happens where it has ended, such as with the service. */
export const finish = (exchange: Exchange, bytes: Uint8Array = Buffer.alloc(0)): void => {
  if (exchange.response.writableEnded) return
  exchange.response.end(bytes)
  drain(exchange.request, maxDrained)
}

/** Begins an answer of git's protocol; nothing happens when it has begun. */
export const begin = ({ response }: Exchange, contentType: string): void => {
  if (!response.headersSent) response.writeHead(200, { ...neverCached, "content-type": contentType })
}

/** Sends bytes of an answer, which they may begin; false where more should wait for the client. What has ended, such as with the service, takes nothing. */
export const send = (exchange: Exchange, contentType: string, bytes: Buffer): boolean => {
  if (exchange.response.writableEnded) return true
  begin(exchange, contentType)
  return exchange.response.write(bytes)
}
