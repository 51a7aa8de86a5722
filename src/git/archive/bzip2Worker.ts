import { parentPort } from "node:worker_threads"
import BZip2 from "bzip2-wasm"
import { Bzip2Joiner, compressedBytes } from "./bzip2Joiner.ts"

// Compressing a block takes a tenth of a second, which would hold up everything else: hence a thread of its own.
const library = new BZip2()
const ready = library.init()
const joiner = new Bzip2Joiner()

/** A block of at most `blockBytes`, or null for the end; the answer is what it adds. */
parentPort?.on("message", async (block: Uint8Array | null) => {
  await ready
  parentPort?.postMessage(block === null ? joiner.end() : joiner.add(library.compress(block, 9, compressedBytes)))
})
