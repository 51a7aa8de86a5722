export interface LeastRateOptions {
  readonly bytesPerSecond: number
  /** Who moves nothing at all is too slow after so many milliseconds, and so is who falls behind by as much. */
  readonly overMillis: number
}

/**
 * Tells who is too slow while others wait for what they hold. Only the time in which they are waited for counts; each byte that they move
 * earns time, up to `overMillis` in advance, so that networks which deliver in bursts are no slower for it.
 */
export class LeastRate {
  readonly #options: LeastRateOptions
  #left: number

  constructor(options: LeastRateOptions) {
    this.#options = options
    this.#left = options.overMillis
  }

  /** They may be waited for so many milliseconds more before another byte. */
  get leftMillis(): number {
    return Math.max(0, this.#left)
  }

  moved(bytes: number): void {
    const { bytesPerSecond, overMillis } = this.#options
    this.#left = Math.min(overMillis, this.#left + (bytes * 1_000) / bytesPerSecond)
  }

  waited(millis: number): void {
    this.#left -= millis
  }
}
