import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"

/** The rest of a body may take this many milliseconds. */
const maxMillis = 60_000
/** A client that sends before it reads gets this many milliseconds to find the answer. */
const grace = 2_000

/** Ends a connection that the client may still be sending on, so that it can read the answer first. */
const closeSoon = (socket: Socket): void => {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), grace)
  socket.once("close", () => clearTimeout(timer))
}

/**
 * Takes what is left of the body of a request that is answered, so that the client reads the answer and the connection can be used again;
 * closes the connection when there are more than `maxBytes` of it. Nothing happens where there is nothing left.
 */
export const drain = (request: IncomingMessage, maxBytes: number): void => {
  if (request.complete || request.destroyed) return
  let drained = 0
  const timer = setTimeout(() => closeSoon(request.socket), maxMillis)
  request.once("close", () => clearTimeout(timer))
  request.on("data", (chunk: Buffer) => {
    const wasWithin = drained <= maxBytes
    drained += chunk.length
    // What still comes is taken and forgotten: a client that finds nobody reading would never read.
    if (wasWithin && drained > maxBytes) closeSoon(request.socket)
  })
  request.resume()
}
