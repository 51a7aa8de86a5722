import { connect, createServer, type Socket } from "node:net"
import { listening } from "#test/support/processes/listening.ts"

interface Address {
  readonly host: string
  readonly port: number
}

/** A TCP proxy whose connections can be cut, or kept from hearing anything. */
export interface DropProxy {
  readonly port: number
  /** How many connections there have been. */
  readonly connections: () => number
  /** Cuts every connection as a crashed network does. */
  readonly drop: () => void
  /** Keeps back what the target says from now on, but takes it what it is told. */
  readonly hold: () => void
  /** Lets through what was kept back. */
  readonly release: () => void
  /** Leads the next connections elsewhere. */
  readonly redirect: (target: Address) => void
  readonly close: () => void
}

export const startDropProxy = async (first: Address): Promise<DropProxy> => {
  let target = first
  let holding = false
  const sockets = new Set<Socket>()
  const upstreams = new Set<Socket>()
  const track = (socket: Socket, other: Socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on("error", () => socket.destroy())
    socket.on("close", () => {
      sockets.delete(socket)
      upstreams.delete(socket)
      other.destroy()
    })
  }
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  let connections = 0
  const server = createServer((client) => {
    connections += 1
    const upstream = connect(target)
    track(client, upstream)
    track(upstream, client)
    upstreams.add(upstream)
    client.pipe(upstream)
    upstream.on("data", (bytes) => {
      if (!client.write(bytes)) upstream.pause()
    })
    client.on("drain", () => holding || upstream.resume())
    if (holding) upstream.pause()
  })
  const port = await listening(server)
  return {
    port,
    connections: () => connections,
    drop,
    hold: () => {
      holding = true
      for (const upstream of upstreams) upstream.pause()
    },
    release: () => {
      holding = false
      for (const upstream of upstreams) upstream.resume()
    },
    redirect: (other) => {
      target = other
    },
    close: () => {
      server.close()
      drop()
    }
  }
}
