import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { afterAll, afterEach, beforeAll } from "vitest"
import { until } from "../until.ts"

const channel = "net.server.socket"

const isConnection = (message: unknown): message is { readonly socket: Socket } =>
  typeof message === "object" && message !== null && "socket" in message

export interface StubbornClient {
  readonly socket: Socket
  /** All that the server sends. */
  readonly heard: () => Promise<string>
  /** Waits until the server has taken so many bytes of what was sent. */
  readonly taken: (bytes: number) => Promise<void>
  /** Waits until the server, which runs in this process, holds nothing of the connection any more. */
  readonly letGo: () => Promise<void>
}

/** Opens connections whose clients never close their side before the test is over. */
export const useStubbornClients = () => {
  const clients: Array<Socket> = []
  const servers = new Map<number | undefined, Socket>()
  const note = (message: unknown) => {
    if (isConnection(message)) servers.set(message.socket.remotePort, message.socket)
  }
  beforeAll(() => subscribe(channel, note))
  afterAll(() => unsubscribe(channel, note))
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy()
    servers.clear()
  })
  return async (url: string, text: string): Promise<StubbornClient> => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    clients.push(socket)
    socket.on("error", () => {})
    await once(socket, "connect")
    const { localPort } = socket
    socket.write(text)
    const serverSocket = () => {
      const server = servers.get(localPort)
      if (server === undefined) throw new Error("the server has not accepted the connection")
      return server
    }
    return {
      socket,
      taken: (bytes) => until(() => (servers.get(localPort)?.bytesRead ?? 0) >= bytes),
      heard: async () => {
        const chunks: Array<Buffer> = []
        socket.on("data", (chunk: Buffer) => chunks.push(chunk))
        await once(socket, "end")
        return Buffer.concat(chunks).toString("latin1")
      },
      letGo: async () => {
        const server = serverSocket()
        if (!server.closed) await new Promise((resolve) => server.once("close", resolve))
      }
    }
  }
}
