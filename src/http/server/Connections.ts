import type { RequestListener, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { clientAddress } from "../../kernel/clientAddress.ts"
import { Crowds } from "./Crowds.ts"

/** A request, and its answer. */
type Exchange = Parameters<RequestListener>

interface Connection {
  readonly socket: Socket
  /** The network that it comes from. */
  readonly client: string
  /** The request that is being answered, and those that the client sent before it had the answer. */
  readonly exchanges: Array<Exchange>
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

/** So many requests may wait on a connection for the answer to another, and on all connections together: each takes some KB. */
const [maxPipelined, maxAllPipelined] = [32, 10_000]

/** What Node's parser takes for the end of what it is to read. */
const upgrade = 2

/**
 * Keeps Node from making requests of the rest of what it has read, up to 64 KiB. The types leave out that the parser asks this function; where it did
 * not, they would be made in vain.
 */
const readNoMore = (socket: Socket): void => {
  const parser: unknown = Reflect.get(socket, "parser")
  if (typeof parser === "object" && parser !== null) Reflect.set(parser, "onIncoming", () => upgrade)
}

/**
 * The open connections of a server. Of each, one request is answered at a time: what a client sends before it has its answer waits unseen, and
 * where it sends more than that, it is let go. The server can stop without waiting for clients that ask nothing.
 */
export class Connections {
  readonly #bySocket = new Map<Socket, Connection>()
  readonly #crowds = new Crowds<Connection>()
  readonly #server: Server
  readonly #limits: ConnectionLimits
  readonly #listener: RequestListener
  readonly #onCrowd: (client: string, size: number) => void
  #pipelined = 0
  #told = Number.NEGATIVE_INFINITY

  /** `onCrowd` is called with the client that loses connections, and how many it has, once a minute. */
  constructor(
    server: Server,
    limits: ConnectionLimits,
    listener: RequestListener,
    onCrowd: (client: string, size: number) => void = () => {}
  ) {
    this.#server = server
    this.#limits = limits
    this.#listener = listener
    this.#onCrowd = onCrowd
    server.on("connection", (socket: Socket) => {
      const client = clientAddress(socket.remoteAddress, undefined, undefined).network
      const connection = { socket, client, exchanges: [] }
      this.#bySocket.set(socket, connection)
      this.#crowds.put(client, connection, false)
      socket.once("close", () => this.#forget(connection))
      this.#makeRoom()
    })
    // A body that a client only announces is asked for when it is read.
    const take: RequestListener = (...exchange) => this.#take(exchange)
    server.on("request", take).on("checkContinue", take)
  }

  /** Closes connections without a pending answer, also those that sent a part of a request. */
  closeIdle(): void {
    for (const { exchanges, socket } of this.#bySocket.values()) if (exchanges.length === 0) socket.destroy()
  }

  /** Calls `answer` for every request that is not yet answered, and closes all connections. */
  closeAll(answer: (response: ServerResponse) => void): void {
    for (const { exchanges, socket } of this.#bySocket.values()) {
      const response = exchanges[0]?.[1]
      if (response !== undefined && !response.headersSent) answer(response)
      socket.destroySoon()
    }
  }

  #take(exchange: Exchange): void {
    const connection = this.#bySocket.get(exchange[0].socket)
    // Of a client that was let go, the rest of what it had sent is not looked at.
    if (connection === undefined) return
    connection.exchanges.push(exchange)
    if (connection.exchanges.length === 1) {
      this.#crowds.put(connection.client, connection, true)
      this.#begin(connection, exchange)
      return
    }
    this.#pipelined++
    if (connection.exchanges.length <= maxPipelined && this.#pipelined <= maxAllPipelined) return
    this.#close(connection)
    readNoMore(connection.socket)
  }

  #begin(connection: Connection, [request, response]: Exchange): void {
    const { socket } = connection
    response.setTimeout(this.#limits.idleMillis, () => {
      if (socket.writableLength > 0) socket.destroy()
    })
    // A connection is not kept for more requests by a server that stops.
    if (!this.#server.listening) response.setHeader("connection", "close")
    response.once("close", () => this.#end(connection))
    this.#listener(request, response)
  }

  #end(connection: Connection): void {
    const { client, exchanges, socket } = connection
    exchanges.shift()
    if (!this.#bySocket.has(socket)) return
    const [next] = exchanges
    if (next !== undefined) {
      this.#pipelined--
      this.#begin(connection, next)
      return
    }
    this.#crowds.put(client, connection, false)
    if (!this.#server.listening) socket.destroySoon()
  }

  /** It ends in a later turn of the event loop, and is counted no more from now on. */
  #close(connection: Connection): void {
    this.#forget(connection)
    connection.socket.destroy()
  }

  #forget(connection: Connection): void {
    const { client, exchanges, socket } = connection
    if (!this.#bySocket.delete(socket)) return
    this.#pipelined -= Math.max(0, exchanges.length - 1)
    this.#crowds.remove(client, connection)
  }

  #makeRoom(): void {
    const { largest } = this.#crowds
    if (this.#bySocket.size <= this.#limits.maxConnections || largest === undefined) return
    this.#close(largest.dispensable)
    if (performance.now() - this.#told < silenceMillis) return
    this.#told = performance.now()
    this.#onCrowd(largest.client, largest.size)
  }
}
