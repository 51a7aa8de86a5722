export interface ByteBudgetLimits {
  /** The bytes of all together. */
  readonly total: number
  /** The bytes of one caller. */
  readonly share: number
}

/** The bytes, of memory or of the disk, that the requests which run may take, by caller. */
export class ByteBudget {
  readonly #limits: ByteBudgetLimits
  readonly #byCaller = new Map<string, number>()
  #used = 0

  constructor(limits: ByteBudgetLimits) {
    this.#limits = limits
  }

  /** Takes so many bytes for a caller; false, and nothing is taken, where there is no room. */
  take(caller: string, bytes: number): boolean {
    const { share, total } = this.#limits
    const taken = (this.#byCaller.get(caller) ?? 0) + bytes
    if (taken > share || this.#used + bytes > total) return false
    this.#byCaller.set(caller, taken)
    this.#used += bytes
    return true
  }

  giveBack(caller: string, bytes: number): void {
    const left = (this.#byCaller.get(caller) ?? 0) - bytes
    if (left > 0) this.#byCaller.set(caller, left)
    else this.#byCaller.delete(caller)
    this.#used -= bytes
  }
}
