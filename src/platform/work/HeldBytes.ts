import { type ByteBudget, TakenBytes } from "./ByteBudget.ts"

export interface HeldBytesOptions {
  readonly memory: ByteBudget
  /** Whom the memory is counted for. */
  readonly caller: string
  /** So many bytes are not counted. */
  readonly freeBytes: number
  /** The highest number of bytes. */
  readonly maxBytes: number
}

/** The smallest buffer, in bytes. */
const leastBytes = 1024

/**
 * Bytes that come piece by piece. They take memory as they come, whatever was announced, in one buffer that grows: pieces may be of single
 * bytes, which would take a hundred times as much kept as they come.
 */
export class HeldBytes {
  readonly #options: HeldBytesOptions
  readonly #taken: TakenBytes
  #buffer = Buffer.alloc(0)
  #size = 0

  constructor(options: HeldBytesOptions) {
    const { caller, freeBytes, memory } = options
    this.#options = options
    this.#taken = new TakenBytes(memory, caller, freeBytes)
  }

  /** All that came, until they are released. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size)
  }

  /** Adds a piece; false, and nothing changes, where there is no room for it. */
  append(piece: Buffer): boolean {
    const size = this.#size + piece.length
    if (!this.#hasRoomFor(size)) return false
    piece.copy(this.#buffer, this.#size)
    this.#size = size
    return true
  }

  /** Gives the memory back; again, nothing happens. */
  release(): void {
    this.#buffer = Buffer.alloc(0)
    this.#size = 0
    this.#taken.release()
  }

  #hasRoomFor(size: number): boolean {
    if (size <= this.#buffer.length) return true
    const { freeBytes, maxBytes } = this.#options
    if (size > maxBytes) return false
    const capacity = Math.min(maxBytes, Math.max(leastBytes, freeBytes, 2 ** Math.ceil(Math.log2(size))))
    if (!this.#taken.growTo(capacity)) return false
    const larger = Buffer.allocUnsafeSlow(capacity)
    this.#buffer.copy(larger, 0, 0, this.#size)
    this.#buffer = larger
    return true
  }
}
