import { mebibyte } from "../../../kernel/units.ts"

/** The free space is checked again after this many bytes. */
const checkIntervalBytes = 16 * mebibyte
/** The first bytes are not checked, because deletions must be possible on a full disk. */
const uncheckedBytes = mebibyte

/** Checks regularly whether the disk has space for the bytes that arrive. */
export class DiskSpaceMonitor {
  readonly #spare: () => Promise<number>
  #received = 0
  #nextCheck = uncheckedBytes
  #isFull = false

  /** `spare` answers how many bytes the disk may still take. */
  constructor(spare: () => Promise<number>) {
    this.#spare = spare
  }

  /** Counts bytes that arrived. `onFull` is called once, when there is no space for more. */
  add(bytes: number, onFull: () => void): void {
    this.#received += bytes
    if (this.#isFull || this.#received < this.#nextCheck) return
    this.#nextCheck = this.#received + checkIntervalBytes
    this.#spare().then(
      (left) => {
        if (left > checkIntervalBytes || this.#isFull) return
        this.#isFull = true
        onFull()
      },
      // When the check fails, git finds out by itself.
      () => {}
    )
  }
}
