/** Takes the trees that a `TreeReader` reads, one after the other. */
export interface TreeSink {
  /** A tree begins; `id` is hexadecimal. */
  readonly begin: (id: string) => void
  /** It has a directory, whose id are the 20 bytes of `data` at `at`. */
  readonly folder: (data: Uint8Array, at: number) => void
  /** It has so many entries so far; called now and then, so that a tree which is too large is not read to its end. */
  readonly grow: (entries: number) => void
  /** It has ended, with so many entries, directories included. */
  readonly end: (entries: number) => void
  /** There is no tree of this id: nothing, or another object. */
  readonly absent: (id: string) => void
}

const nothing = Buffer.alloc(0)
const [newline, space, zero, one] = [10, 32, 48, 49]
const idBytes = 20
const header = /^([0-9a-f]{40}) (?:([a-z]+) (\d+)|missing)$/
/** A header has less than this many characters. */
const maxHeaderLength = 128

/**
 * Reads the trees that `git cat-file --batch-command` prints, in pieces as they come. Nothing of a tree is kept but an id that two pieces
 * share, so size does not matter: those of a large history have gigabytes.
 */
export class TreeReader {
  readonly #sink: TreeSink
  readonly #onAnswer: () => void
  #carry: Buffer = nothing
  #phase: "header" | "mode" | "name" | "skip" = "header"
  /** Bytes of the object that are still to come. */
  #left = 0
  #mode = 0
  #entries = 0

  /** `onAnswer` is called after each object that was asked for, whatever it is. */
  constructor(sink: TreeSink, onAnswer: () => void) {
    this.#sink = sink
    this.#onAnswer = onAnswer
  }

  /** Answers false when the bytes make no sense. */
  push(chunk: Buffer): boolean {
    if (this.#carry.length === 0) return this.#read(chunk)
    // Only the first bytes are joined with those before: whole pieces would be copied for a few bytes.
    const joined = chunk.subarray(0, 2 * maxHeaderLength)
    const rest = chunk.subarray(joined.length)
    if (!this.#read(Buffer.concat([this.#carry, joined]))) return false
    if (rest.length === 0) return true
    return this.#read(chunk.subarray(joined.length - this.#carry.length))
  }

  #read(data: Buffer): boolean {
    let at = 0
    while (at < data.length) {
      const before = at
      at = this.#phase === "header" ? this.#readHeader(data, at) : this.#readContent(data, at)
      if (at < 0) return false
      if (at === before) break
    }
    // The bytes lie in a buffer that is used again.
    this.#carry = at < data.length ? Buffer.from(data.subarray(at)) : nothing
    return this.#carry.length < maxHeaderLength
  }

  #readHeader(data: Buffer, at: number): number {
    const end = data.indexOf(newline, at)
    if (end === -1) return at
    const [line, id = "", type, size] = header.exec(data.toString("latin1", at, Math.min(end, at + maxHeaderLength))) ?? []
    if (line === undefined) return -1
    if (type !== "tree") this.#sink.absent(id)
    else this.#sink.begin(id)
    if (type === undefined) {
      this.#onAnswer()
      return end + 1
    }
    this.#left = Number(size)
    this.#entries = 0
    this.#phase = type === "tree" ? "mode" : "skip"
    this.#mode = 0
    return end + 1
  }

  #readContent(data: Buffer, from: number): number {
    const isWhole = from + this.#left <= data.length
    const stop = isWhole ? from + this.#left : data.length
    let at = this.#phase === "skip" ? stop : this.#readEntries(data, from, stop)
    // What is left of a tree that ends within an entry counts for nothing.
    if (isWhole) at = stop
    this.#left -= at - from
    if (this.#phase !== "skip") this.#sink.grow(this.#entries)
    if (!isWhole || at === data.length) return at
    // The end of the line behind the object.
    if (this.#phase !== "skip") this.#sink.end(this.#entries)
    this.#phase = "header"
    this.#onAnswer()
    return at + 1
  }

  /** Reads as many entries as there are before `stop`; answers where it left off. */
  #readEntries(data: Buffer, from: number, stop: number): number {
    let [at, mode, entries, isName] = [from, this.#mode, 0, this.#phase === "name"]
    while (at < stop) {
      if (!isName) {
        // Files have six digits and a 1 in front, and most entries are files.
        if (mode === 0 && data[at] === one && at + 6 < stop && data[at + 6] === space) at += 6
        // Other modes may have any number of digits; git looks at the last six.
        for (; at < stop && data[at] !== space; at++) mode = (mode << 3) | ((data[at] ?? zero) - zero)
        if (at === stop) break
        isName = true
        at++
      }
      while (at < stop && data[at] !== 0) at++
      if (at + idBytes >= stop) break
      entries++
      if ((mode & 0o170000) === 0o040000) this.#sink.folder(data, at + 1)
      at += idBytes + 1
      mode = 0
      isName = false
    }
    this.#mode = mode
    this.#entries += entries
    this.#phase = isName ? "name" : "mode"
    return at
  }
}
