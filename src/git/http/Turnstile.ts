import { Data, Effect } from "effect"

/** So many wait already, or one waited so long, that it was not let in; or there is too little of the machine left to begin. */
export class TooBusy extends Data.TaggedError("TooBusy") {}

/** A place in the queue or inside. */
interface Ticket {
  /** Gives the place up, whichever it is; again: nothing happens. */
  readonly leave: () => void
}

export interface TurnstileOptions {
  /** How many are inside at once. */
  readonly places: number
  /** How many wait at most. */
  readonly queue: number
  /** Milliseconds that one waits at most. */
  readonly patience: number
}

/** Lets in so many at once. Those who wait take turns by key, so that one who comes with much does not keep others waiting. */
export class Turnstile {
  readonly #options: TurnstileOptions
  /** By key, in the order of their turns. */
  readonly #waiting = new Map<string, Array<() => void>>()
  #inside = 0
  #queued = 0

  constructor(options: TurnstileOptions) {
    this.#options = options
  }

  get inside(): number {
    return this.#inside
  }

  get queued(): number {
    return this.#queued
  }

  /** Runs the effect inside. */
  run<A, E, R>(key: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TooBusy, R> {
    return Effect.suspend(() => {
      let ticket: Ticket | undefined
      const entered = Effect.callback<void, TooBusy>((resume) => {
        ticket = this.#enter(key, (isIn) => resume(isIn ? Effect.void : Effect.fail(new TooBusy())))
      })
      return Effect.ensuring(
        Effect.flatMap(entered, () => effect),
        Effect.sync(() => ticket?.leave())
      )
    })
  }

  /** Calls back when inside, or with false when that cannot be, perhaps at once. */
  #enter(key: string, answer: (isIn: boolean) => void): Ticket {
    if (this.#inside < this.#options.places) {
      this.#inside++
      answer(true)
      return this.#insider()
    }
    if (this.#queued >= this.#options.queue) {
      answer(false)
      return { leave: () => {} }
    }
    return this.#enqueue(key, answer)
  }

  #insider(): Ticket {
    let isIn = true
    return {
      leave: () => {
        if (!isIn) return
        isIn = false
        this.#inside--
        this.#next()
      }
    }
  }

  #enqueue(key: string, answer: (isIn: boolean) => void): Ticket {
    let insider: Ticket | undefined
    const admit = () => {
      clearTimeout(timer)
      this.#queued--
      this.#inside++
      insider = this.#insider()
      answer(true)
    }
    const line = this.#waiting.get(key) ?? []
    this.#waiting.set(key, line)
    line.push(admit)
    this.#queued++
    const withdraw = () => {
      const place = line.indexOf(admit)
      if (place < 0) return
      clearTimeout(timer)
      line.splice(place, 1)
      if (line.length === 0) this.#waiting.delete(key)
      this.#queued--
    }
    const timer = setTimeout(() => {
      withdraw()
      answer(false)
    }, this.#options.patience)
    return { leave: () => (insider === undefined ? withdraw() : insider.leave()) }
  }

  #next(): void {
    const [turn] = this.#waiting
    if (turn === undefined || this.#inside >= this.#options.places) return
    const [key, line] = turn
    const admit = line.shift()
    this.#waiting.delete(key)
    // Its next one waits until the others had their turn.
    if (line.length > 0) this.#waiting.set(key, line)
    admit?.()
  }
}
