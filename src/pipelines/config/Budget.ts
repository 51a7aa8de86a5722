/** A number of steps that all work on one configuration may take together, whatever the machine. */
export class Budget {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  /** How many there still are; less than none once more were taken. */
  get left(): number {
    return this.#left
  }

  /** Takes `steps`; false once more were taken than there were. */
  spend(steps: number): boolean {
    this.#left -= steps
    return this.#left >= 0
  }
}
