import { connect, createServer, type Socket } from "node:net"
import { listening } from "#test/support/processes/listening.ts"

/** A TCP proxy whose connections can be cut. */
export interface DropProxy {
  readonly port: number
  /** Cuts every connection as a crashed network does. */
  readonly drop: () => void
  readonly close: () => void
}

export const startDropProxy = async (target: { readonly host: string; readonly port: number }): Promise<DropProxy> => {
  const sockets = new Set<Socket>()
  const track = (socket: Socket, other: Socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on("error", () => socket.destroy())
    socket.on("close", () => {
      sockets.delete(socket)
      other.destroy()
    })
  }
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((client) => {
    const upstream = connect(target)
    track(client, upstream)
    track(upstream, client)
    client.pipe(upstream)
    upstream.pipe(client)
  })
  const port = await listening(server)
  return {
    port,
    drop,
    close: () => {
      server.close()
      drop()
    }
  }
}
