import { mkdtemp, rm } from "node:fs/promises"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

const bufferBytes = 256 * 1024

/** A connection of which a process writes one end, and this process reads the other. */
export interface Connection {
  /** To be the standard output of a process, and to be destroyed here as soon as that was started. */
  readonly output: Socket
  /** Ends when the process has closed its end. */
  readonly input: Socket
}

/**
 * Makes a connection whose bytes come in one buffer, which is theirs only during the call of `onData`. Pipes take a new buffer for each
 * piece, and with gigabytes that way the garbage collector works longer than anybody else.
 */
export const openConnection = async (onData: (data: Buffer) => void): Promise<Connection> => {
  // Nobody else may enter the folder, and so nobody else connects.
  const folder = await mkdtemp(join(tmpdir(), "chronoforge-"))
  const path = join(folder, "output")
  const server = createServer({ pauseOnConnect: true })
  try {
    return await new Promise((resolve, reject) => {
      server.once("error", reject)
      server.listen(path, () => {
        const callback = (bytes: number, buffer: Uint8Array) => {
          onData(Buffer.from(buffer.buffer, buffer.byteOffset, bytes))
          return true
        }
        const input = connect({ path, onread: { buffer: Buffer.alloc(bufferBytes), callback } })
        input.once("error", reject)
        server.once("connection", (output) => resolve({ output, input }))
      })
    })
  } finally {
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}
