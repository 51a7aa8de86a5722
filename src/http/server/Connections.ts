import type { Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** A connection with the answers that are still due on it. */
interface Connection {
  readonly socket: Socket
  pending: number
  /** The last of the pending answers. */
  response: ServerResponse | undefined
}

/** The open connections of a server, so that it can stop without waiting for clients that ask nothing. */
export class Connections {
  readonly #bySocket = new Map<Socket, Connection>()

  /** A client that takes nothing of an answer for `idleMillis` loses its connection: others may wait for what makes the answer. */
  constructor(server: Server, idleMillis: number) {
    server.on("connection", (socket: Socket) => {
      this.#bySocket.set(socket, { socket, pending: 0, response: undefined })
      socket.once("close", () => this.#bySocket.delete(socket))
    })
    const onRequest = (request: { readonly socket: Socket }, response: ServerResponse) => {
      const connection = this.#bySocket.get(request.socket)
      if (connection === undefined) return
      connection.pending += 1
      connection.response = response
      response.setTimeout(idleMillis, () => {
        if (request.socket.writableLength > 0) request.socket.destroy()
      })
      // A connection is not kept for more requests by a server that stops.
      if (!server.listening) response.setHeader("connection", "close")
      response.once("close", () => {
        connection.pending -= 1
        if (connection.pending > 0) return
        connection.response = undefined
        if (!server.listening) connection.socket.destroySoon()
      })
    }
    server.on("request", onRequest).on("checkContinue", onRequest)
  }

  /** Closes connections without a pending answer, also those that sent a part of a request. */
  closeIdle(): void {
    for (const { pending, socket } of this.#bySocket.values()) if (pending === 0) socket.destroy()
  }

  /** Calls `answer` for every request that is not yet answered, and closes all connections. */
  closeAll(answer: (response: ServerResponse) => void): void {
    for (const { response, socket } of this.#bySocket.values()) {
      if (response !== undefined && !response.headersSent) answer(response)
      socket.destroySoon()
    }
  }
}
