import { once } from "node:events"
import { Transform } from "node:stream"
import { Worker } from "node:worker_threads"
import { blockBytes } from "./bzip2Joiner.ts"

/**
 * Compresses what passes through it as one bzip2 stream, in a thread of its own. Holds a block of about 700 kB, its compressed form and
 * some 10 MB of working memory; destroying it ends the thread.
 */
export const bzip2 = (): Transform => {
  const worker = new Worker(new URL("./bzip2Worker.ts", import.meta.url))
  const block = Buffer.allocUnsafe(blockBytes)
  let filled = 0
  const send = async (message: Uint8Array | null): Promise<Uint8Array> => {
    const answered = once(worker, "message")
    worker.postMessage(message)
    const [answer] = await answered
    return answer
  }
  const transform = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const add = async () => {
        // What was being compressed when somebody left may still be answered.
        for (let from = 0; from < chunk.length && !transform.destroyed; ) {
          const copied = chunk.copy(block, filled, from)
          filled += copied
          from += copied
          if (filled === blockBytes) {
            transform.push(await send(block))
            filled = 0
          }
        }
      }
      add().then(() => done(), done)
    },
    flush: (done) => {
      const end = async () => {
        if (filled > 0) transform.push(await send(block.subarray(0, filled)))
        transform.push(await send(null))
      }
      end().then(() => done(), done)
    },
    destroy: (error, done) => {
      worker.terminate().then(
        () => done(error),
        () => done(error)
      )
    }
  })
  // While nothing is waited for; what `send` waits for fails by itself.
  worker.on("error", (error) => transform.destroy(error))
  return transform
}
