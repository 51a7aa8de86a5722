import { once } from "node:events"
import { Readable } from "node:stream"
import { parentPort, workerData } from "node:worker_threads"
import { createGzip } from "node:zlib"
import { makeClient } from "#src/platform/sql/client.ts"
import type { Packing } from "./PackingThreads.ts"
import { readPieces } from "./parts.ts"

// What is read becomes garbage at once, by the hundred megabytes: where little else is in memory, that costs nobody anything.
const client = makeClient(workerData, { connections: 1, name: "chronoforge-exports" })
const chunkSize = 64 * 1024

/** Records that are to be packed; the answers are what they become, a piece whenever one is asked for, and null for the end. */
const pack = async (port: NonNullable<typeof parentPort>, { level, of, range }: Packing): Promise<void> => {
  const gzip = Readable.from(readPieces(client, of, range)).compose(createGzip({ level, chunkSize }))
  for await (const piece of gzip) {
    const asked = once(port, "message")
    port.postMessage(piece)
    await asked
  }
  port.postMessage(null)
}

const serve = async (port: NonNullable<typeof parentPort>): Promise<void> => {
  for (;;) {
    const [packing] = await once(port, "message")
    await pack(port, packing)
  }
}

if (parentPort) await serve(parentPort)
