import { Worker } from "node:worker_threads"

/** A text that takes longer is given up; how much is done for one is bounded otherwise, and takes a fifth of a second at most. */
const maxMillis = 5_000
/** So long a thread waits for the next text, before its memory is given back. */
const idleMillis = 10_000
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 }

type Answer = (html: string | undefined) => void

/** A thread that renders one text at a time. It begins with the first text, and ends some time after the last one. */
export class Thread {
  #worker: Worker | undefined
  #timer: NodeJS.Timeout | undefined
  #answer: Answer | undefined

  /** Calls back with the HTML of the text; with nothing, where the thread failed over it. */
  render(text: string, answer: Answer): void {
    clearTimeout(this.#timer)
    this.#answer = answer
    this.#timer = setTimeout(() => this.end(), maxMillis)
    this.#worker ??= this.#start()
    this.#worker.postMessage(text)
  }

  /** Ends the thread; what it renders has failed. */
  end(): void {
    clearTimeout(this.#timer)
    this.#worker?.terminate()
    this.#worker = undefined
    this.#reply(undefined)
  }

  #start(): Worker {
    const worker = new Worker(new URL("./renderThread.ts", import.meta.url), { resourceLimits })
    // The service ends without it.
    worker.unref()
    worker.on("message", (html: string) => {
      // What one that was ended has rendered by then is of another text.
      if (worker !== this.#worker) return
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.end(), idleMillis).unref()
      this.#reply(html)
    })
    worker.on("error", () => {
      if (worker === this.#worker) this.end()
    })
    return worker
  }

  #reply(html: string | undefined): void {
    const answer = this.#answer
    this.#answer = undefined
    answer?.(html)
  }
}
