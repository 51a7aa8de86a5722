import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"

/** The rest of a body may take this many milliseconds. */
const maxMillis = 60_000
/** A client that sends before it reads gets this many milliseconds to find the answer. */
const grace = 2_000
/** This many bytes of a body are taken as they come. */
const atOnce = 64 * 1024
/** Beyond, each request takes a piece of as many bytes, and all requests together one in so many milliseconds: others are not to wait for it. */
const pieceMillis = 2
/** So many requests may do that at a time, because each holds memory. Connections of others are closed with the answer. */
const maxPaced = 64

/** The number of requests that take the rest of their bodies piece by piece. */
let paced = 0

/**
 * Calls `end` once, when no more of the body comes. A request whose answer is out is not told by Node that its connection has ended, so the
 * connection is asked too; it may serve more requests, and keeps nothing of this one.
 */
const onceOver = (request: IncomingMessage, end: () => void): void => {
  const { socket } = request
  const over = () => {
    request.off("close", over)
    socket.off("close", over)
    end()
  }
  if (request.closed || socket.closed) end()
  else {
    request.once("close", over)
    socket.once("close", over)
  }
}

/** Ends a connection that the client may still be sending on, so that it can read the answer first. */
export const closeSoon = (socket: Duplex): void => {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), grace)
  socket.once("close", () => clearTimeout(timer))
}

/** Takes what comes piece by piece; false where too many do. */
const pace = (request: IncomingMessage): boolean => {
  if (paced >= maxPaced) return false
  paced++
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  onceOver(request, () => {
    isOver = true
    paced--
    clearTimeout(timer)
  })
  const rest = () => {
    if (isOver) return
    request.pause()
    timer = setTimeout(() => request.resume(), paced * pieceMillis)
  }
  request.on("data", rest)
  rest()
  return true
}

/**
 * Takes what is left of the body of a request that is answered, so that the client reads the answer and the connection can be used again;
 * closes the connection when there are more than `maxBytes` of it. Nothing happens where there is nothing left.
 */
export const drain = (request: IncomingMessage, maxBytes: number): void => {
  if (request.complete || request.destroyed || request.socket.closed) return
  let drained = 0
  const timer = setTimeout(() => closeSoon(request.socket), maxMillis)
  onceOver(request, () => clearTimeout(timer))
  request.on("data", (chunk: Buffer) => {
    const before = drained
    drained += chunk.length
    if (before <= atOnce && drained > atOnce && !pace(request)) request.socket.destroySoon()
    // What still comes is taken and forgotten: a client that finds nobody reading would never read.
    if (before <= maxBytes && drained > maxBytes) closeSoon(request.socket)
  })
  request.resume()
}
