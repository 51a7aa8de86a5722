import type { Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { clientAddress } from "../../kernel/clientAddress.ts"
import { Crowds } from "./Crowds.ts"

/** A connection with the answers that are still due on it. */
interface Connection {
  readonly socket: Socket
  /** The network that it comes from. */
  readonly client: string
  pending: number
  /** The last of the pending answers. */
  response: ServerResponse | undefined
}

export interface ConnectionLimits {
  /** A client that takes nothing of an answer for so many milliseconds loses its connection: others may wait for what makes the answer. */
  readonly idleMillis: number
  /**
   * The highest number of open connections. For each one more, whoever has the most loses one, of those on which it asks nothing the one that
   * rests the longest, so that nobody takes the descriptors of the process from the others.
   */
  readonly maxConnections: number
}

/** Clients that lose connections are told of once in so many milliseconds. */
const silenceMillis = 60_000

/** The open connections of a server, so that it can stop without waiting for clients that ask nothing. */
export class Connections {
  readonly #bySocket = new Map<Socket, Connection>()
  readonly #crowds = new Crowds<Connection>()
  readonly #limits: ConnectionLimits
  readonly #onCrowd: (client: string, size: number) => void
  #told = Number.NEGATIVE_INFINITY

  /** `onCrowd` is called with the client that loses connections, and how many it has, once a minute. */
  constructor(server: Server, limits: ConnectionLimits, onCrowd: (client: string, size: number) => void = () => {}) {
    this.#limits = limits
    this.#onCrowd = onCrowd
    server.on("connection", (socket: Socket) => {
      const client = clientAddress(socket.remoteAddress, undefined, undefined).network
      const connection = { socket, client, pending: 0, response: undefined }
      this.#bySocket.set(socket, connection)
      this.#crowds.put(client, connection, false)
      socket.once("close", () => this.#forget(connection))
      this.#makeRoom()
    })
    const onRequest = (request: { readonly socket: Socket }, response: ServerResponse) => {
      const connection = this.#bySocket.get(request.socket)
      if (connection === undefined) return
      connection.pending += 1
      connection.response = response
      this.#crowds.put(connection.client, connection, true)
      response.setTimeout(limits.idleMillis, () => {
        if (request.socket.writableLength > 0) request.socket.destroy()
      })
      // A connection is not kept for more requests by a server that stops.
      if (!server.listening) response.setHeader("connection", "close")
      response.once("close", () => {
        connection.pending -= 1
        if (connection.pending > 0) return
        connection.response = undefined
        if (this.#bySocket.has(connection.socket)) this.#crowds.put(connection.client, connection, false)
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

  #forget(connection: Connection): void {
    this.#bySocket.delete(connection.socket)
    this.#crowds.remove(connection.client, connection)
  }

  #makeRoom(): void {
    const { largest } = this.#crowds
    if (this.#bySocket.size <= this.#limits.maxConnections || largest === undefined) return
    // It ends in a later turn of the event loop, and is counted no more from now on.
    this.#forget(largest.dispensable)
    largest.dispensable.socket.destroy()
    if (performance.now() - this.#told < silenceMillis) return
    this.#told = performance.now()
    this.#onCrowd(largest.client, largest.size)
  }
}
