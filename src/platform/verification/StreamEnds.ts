const hashBytes = 32

/**
 * The last revision and hash of every stream seen so far. Hashes lie in one buffer and streams are numbered, so that a stream
 * takes about 120 bytes, its name included.
 */
export class StreamEnds {
  readonly #indexes = new Map<string, number>()
  #revisions = new Float64Array(1024)
  #hashes = Buffer.alloc(1024 * hashBytes)

  get size(): number {
    return this.#indexes.size
  }

  /** The number of a stream; a new one stands before its first event. */
  index(stream: string): number {
    const known = this.#indexes.get(stream)
    if (known !== undefined) return known
    const index = this.#indexes.size
    if (index === this.#revisions.length) this.#grow()
    this.#indexes.set(stream, index)
    this.#revisions[index] = -1
    return index
  }

  /** -1 before the first event. */
  revision(index: number): number {
    return this.#revisions[index] ?? -1
  }

  /** 32 bytes, valid until `advance`; zeros before the first event. */
  hash(index: number): Buffer {
    return this.#hashes.subarray(index * hashBytes, (index + 1) * hashBytes)
  }

  advance(index: number, hash: Buffer): void {
    this.#revisions[index] = this.revision(index) + 1
    hash.copy(this.#hashes, index * hashBytes)
  }

  #grow(): void {
    const revisions = new Float64Array(this.#revisions.length * 2)
    revisions.set(this.#revisions)
    this.#revisions = revisions
    this.#hashes = Buffer.concat([this.#hashes, Buffer.alloc(this.#hashes.length)])
  }
}
