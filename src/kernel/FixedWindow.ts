const windowSeconds = 60

/** Counts by key for limits of a rate: in windows of one minute, which begin at the same time for all keys. */
export class FixedWindow {
  #window = 0
  #counts = new Map<string, number>()

  /** Counts one more; answers how many there are in the window of `now`, in milliseconds since 1970. */
  count(key: string, now: number): number {
    const window = Math.floor(now / 1000 / windowSeconds)
    if (window !== this.#window) {
      this.#window = window
      this.#counts = new Map()
    }
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    return count
  }

  /** Counts one less in the window of `now`, where there is one. */
  giveBack(key: string, now: number): void {
    const count = this.#counts.get(key) ?? 0
    if (count > 0 && Math.floor(now / 1000 / windowSeconds) === this.#window) this.#counts.set(key, count - 1)
  }
}

/** The end of the window of `now`, in seconds since 1970. */
export const windowEnd = (now: number): number => (Math.floor(now / 1000 / windowSeconds) + 1) * windowSeconds

/** The number of seconds until the window ends, for `Retry-After`: 1 to 60. */
export const secondsLeft = (now: number): number => windowEnd(now) - Math.floor(now / 1000)
