import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"

/** Of a body that nobody reads, in bytes; more is not waited for. */
const mostDrained = 256 * 1024
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
  request.on("data", (chunk: Buffer) => {
    drained += chunk.length
    if (drained <= mostDrained) return
    request.pause()
    closeSoon(request.socket)
  })
  request.resume()
}
