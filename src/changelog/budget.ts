/** A number of steps that work may take: the limits in time of the reference, independent of clock and machine. */
export class Budget {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  /** Takes `steps`; false once more were taken than there were. */
  spend(steps: number): boolean {
    this.#left -= steps
    return this.#left >= 0
  }

  get left(): number {
    return this.#left
  }
}
