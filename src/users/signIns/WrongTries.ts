import { LRUCache } from "lru-cache"

export interface WrongTriesOptions {
  /** After so many wrong tries in a row the next one waits this many milliseconds. */
  readonly delayMillis: (count: number) => number
  /** Tries are forgotten so many milliseconds after the last one. */
  readonly memoryMillis: number
}

interface Tries {
  readonly count: number
  /** The time of the last one, in milliseconds since 1970. */
  readonly lastAt: number
}

/** The tries of so many keys are remembered: some megabytes. */
const maxKeys = 20_000

/** Wrong tries by key, and how long the next one has to wait for them. Times are milliseconds since 1970. */
export class WrongTries {
  readonly #options: WrongTriesOptions
  readonly #tries = new LRUCache<string, Tries>({ max: maxKeys })

  constructor(options: WrongTriesOptions) {
    this.#options = options
  }

  /** The number of milliseconds after which this key may be tried again; 0 for now. */
  waitMillis(key: string, now: number): number {
    const tries = this.#of(key, now)
    return tries === undefined ? 0 : Math.max(0, tries.lastAt + this.#options.delayMillis(tries.count) - now)
  }

  /** Answers for how many milliseconds the next one has to wait. */
  add(key: string, now: number): number {
    const count = (this.#of(key, now)?.count ?? 0) + 1
    this.#tries.set(key, { count, lastAt: now })
    return this.#options.delayMillis(count)
  }

  forget(key: string): void {
    this.#tries.delete(key)
  }

  /** The tries that count now. Those of a time to come do not: where a clock was set back, nobody waits for it. */
  #of(key: string, now: number): Tries | undefined {
    const tries = this.#tries.get(key)
    return tries !== undefined && tries.lastAt <= now && now - tries.lastAt < this.#options.memoryMillis ? tries : undefined
  }
}
