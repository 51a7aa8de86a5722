import { once } from "node:events"
import { Worker } from "node:worker_threads"
import type { RecordRange } from "#src/exports/ExportRecords.ts"
import type { ExportKey } from "#src/exports/ids.ts"

/** What a thread packs: records, at a level of gzip. */
export interface Packing {
  readonly of: ExportKey
  readonly range: RecordRange
  readonly level: number
}

/** So long a thread waits for what comes next, before its memory and its connection are given back. */
const idleMillis = 10_000
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 }

/**
 * Threads that read records and pack them, one for each caller. In that of the service it would cost requests a collection of all its memory
 * every quarter of a second.
 */
export class PackingThreads {
  readonly #url: string
  readonly #idle = new Map<Worker, NodeJS.Timeout>()

  /** `url`: that of the database. */
  constructor(url: string) {
    this.#url = url
  }

  /** The records in gzip, in pieces of at most 64 KiB; rejects where they cannot be read. */
  async *pack(packing: Packing): AsyncGenerator<Buffer, void> {
    const worker = this.#take()
    let isDone = false
    try {
      for (let message: Packing | "more" = packing; ; message = "more") {
        const answered = once(worker, "message")
        worker.postMessage(message)
        const [piece] = await answered
        isDone = piece === null
        if (isDone) return
        yield Buffer.from(piece)
      }
    } finally {
      if (isDone) this.#rest(worker)
      else await worker.terminate()
    }
  }

  /** Ends the threads that wait. */
  end(): void {
    for (const worker of this.#idle.keys()) this.#end(worker)
  }

  #take(): Worker {
    for (const [worker, timer] of this.#idle) {
      clearTimeout(timer)
      this.#idle.delete(worker)
      return worker
    }
    return this.#start()
  }

  #start(): Worker {
    const worker = new Worker(new URL("./packRecords.ts", import.meta.url), { workerData: this.#url, resourceLimits })
    // The service ends without it.
    worker.unref()
    // Whoever waits for an answer is told; while nobody does, there is nothing to lose but the thread.
    worker.on("error", () => this.#end(worker))
    return worker
  }

  #rest(worker: Worker): void {
    const timer = setTimeout(() => this.#end(worker), idleMillis).unref()
    this.#idle.set(worker, timer)
  }

  #end(worker: Worker): void {
    clearTimeout(this.#idle.get(worker))
    this.#idle.delete(worker)
    worker.terminate()
  }
}
