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

/** What one request takes of a budget, beyond what each may have. */
export class TakenBytes {
  readonly #budget: ByteBudget
  readonly #caller: string
  readonly #freeBytes: number
  #taken = 0

  constructor(budget: ByteBudget, caller: string, freeBytes: number) {
    this.#budget = budget
    this.#caller = caller
    this.#freeBytes = freeBytes
  }

  /** Takes so many bytes in all; false, and nothing more is taken, where there is no room. */
  growTo(bytes: number): boolean {
    const more = bytes - this.#freeBytes - this.#taken
    if (more <= 0) return true
    if (!this.#budget.take(this.#caller, more)) return false
    this.#taken += more
    return true
  }

  /** Gives all back; again, nothing happens. */
  release(): void {
    if (this.#taken > 0) this.#budget.giveBack(this.#caller, this.#taken)
    this.#taken = 0
  }
}
