/** The number of steps between two pauses, which take some milliseconds. */
const slice = 50_000

/** A number of steps that work may take: the limits in time of the reference, independent of clock and machine. */
export class Budget {
  #left: number
  #untilPause = slice

  constructor(steps: number) {
    this.#left = steps
  }

  /** Takes `steps`; false once more were taken than there were. */
  spend(steps: number): boolean {
    this.#left -= steps
    this.#untilPause -= steps
    return this.#left >= 0
  }

  /** Whether it is time for a pause, after which the next slice begins. */
  pauses(): boolean {
    if (this.#untilPause > 0) return false
    this.#untilPause = slice
    return true
  }

  get left(): number {
    return this.#left
  }
}
