import { Data, Effect } from "effect"

/** The queue is full, the request waited too long, or the machine has too few resources to start. */
export class TooBusy extends Data.TaggedError("TooBusy") {}

/** A place in the queue, or among the running effects. */
interface Slot {
  /** Gives the place up; a second call does nothing. */
  readonly release: () => void
}

export interface FairQueueOptions {
  /** The highest number of effects that run at once. */
  readonly concurrency: number
  /** The highest number of effects that wait. */
  readonly maxQueued: number
  /** An effect waits at most this many milliseconds. */
  readonly timeoutMillis: number
}

/** A semaphore with a fair queue: waiting effects take turns by key, so that a caller with many requests does not delay others. */
export class FairQueue {
  readonly #options: FairQueueOptions
  /** The waiting effects by key, in the order of the keys' turns. */
  readonly #waiting = new Map<string, Array<() => void>>()
  #running = 0
  #queued = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#running
  }

  get queued(): number {
    return this.#queued
  }

  /** Runs the effect when there is a free slot. */
  run<A, E, R>(key: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TooBusy, R> {
    return Effect.suspend(() => {
      let slot: Slot | undefined
      const entered = Effect.callback<void, TooBusy>((resume) => {
        slot = this.#acquire(key, (isAdmitted) => resume(isAdmitted ? Effect.void : Effect.fail(new TooBusy())))
      })
      return Effect.ensuring(
        Effect.flatMap(entered, () => effect),
        Effect.sync(() => slot?.release())
      )
    })
  }

  /** Calls back with true when the effect may run, or with false when it may not, perhaps synchronously. */
  #acquire(key: string, answer: (isAdmitted: boolean) => void): Slot {
    if (this.#running < this.#options.concurrency) {
      this.#running++
      answer(true)
      return this.#admittedSlot()
    }
    if (this.#queued >= this.#options.maxQueued) {
      answer(false)
      return { release: () => {} }
    }
    return this.#enqueue(key, answer)
  }

  #admittedSlot(): Slot {
    let isAdmitted = true
    return {
      release: () => {
        if (!isAdmitted) return
        isAdmitted = false
        this.#running--
        this.#next()
      }
    }
  }

  #enqueue(key: string, answer: (isAdmitted: boolean) => void): Slot {
    let admitted: Slot | undefined
    const admit = () => {
      clearTimeout(timer)
      this.#queued--
      this.#running++
      admitted = this.#admittedSlot()
      answer(true)
    }
    const sameKey = this.#waiting.get(key) ?? []
    this.#waiting.set(key, sameKey)
    sameKey.push(admit)
    this.#queued++
    const cancel = () => {
      const place = sameKey.indexOf(admit)
      if (place < 0) return
      clearTimeout(timer)
      sameKey.splice(place, 1)
      if (sameKey.length === 0) this.#waiting.delete(key)
      this.#queued--
    }
    const timer = setTimeout(() => {
      cancel()
      answer(false)
    }, this.#options.timeoutMillis)
    return { release: () => (admitted === undefined ? cancel() : admitted.release()) }
  }

  #next(): void {
    const [next] = this.#waiting
    if (next === undefined || this.#running >= this.#options.concurrency) return
    const [key, sameKey] = next
    const admit = sameKey.shift()
    this.#waiting.delete(key)
    // The next effect of this key waits until the other keys had their turn.
    if (sameKey.length > 0) this.#waiting.set(key, sameKey)
    admit?.()
  }
}
