import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"

/** Of a body that nobody reads, in bytes; after more the connection is closed rather than kept. */
const mostDrained = 256 * 1024
/** Milliseconds that such a body may still take. */
const mostMillis = 60_000
/** Milliseconds for a client that sends before it reads to find the answer. */
const grace = 2_000

/** Ends a connection that the client may still be sending on, so that it can read the answer first. */
const closeSoon = (socket: Socket): void => {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), grace)
  socket.once("close", () => clearTimeout(timer))
}

/** Takes what is left of an answered request's body, so that the connection can be used again; closes it when there is too much. */
export const drain = (request: IncomingMessage): void => {
  let drained = 0
  const timer = setTimeout(() => closeSoon(request.socket), mostMillis)
  request.once("close", () => clearTimeout(timer))
  request.on("data", (chunk: Buffer) => {
    const isFirst = drained <= mostDrained
    drained += chunk.length
    // What still comes is taken and forgotten: a client that finds nobody reading would never read.
    if (isFirst && drained > mostDrained) closeSoon(request.socket)
  })
  request.resume()
}
