const mebibyte = 1024 * 1024
/** Bytes between two looks. */
const interval = 16 * mebibyte
/** What little takes is not looked at: deletions must be possible on a full disk. */
const little = mebibyte

/** Looks now and then whether the disk still has room for what comes in. */
export class DiskWatch {
  readonly #spare: () => Promise<number>
  #received = 0
  #nextLook = little
  #isFull = false

  /** `spare`: bytes that the disk may still take. */
  constructor(spare: () => Promise<number>) {
    this.#spare = spare
  }

  /** So many bytes came in. `onFull` is called, once, when it turns out that there is no room for more. */
  take(bytes: number, onFull: () => void): void {
    this.#received += bytes
    if (this.#isFull || this.#received < this.#nextLook) return
    this.#nextLook = this.#received + interval
    this.#spare().then(
      (left) => {
        if (left > interval || this.#isFull) return
        this.#isFull = true
        onFull()
      },
      // Who cannot look lets git find out.
      () => {}
    )
  }
}
