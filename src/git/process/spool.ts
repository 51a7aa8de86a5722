import { randomUUID } from "node:crypto"
import { type FileHandle, mkdir, open, rm } from "node:fs/promises"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { LRUCache } from "lru-cache"

/** What readers get at a time. */
const pieceBytes = 128 * 1024
/** Readers are told of fewer bytes only after so many milliseconds: many small pieces for many readers take longer than to wait. */
const maxDelayMillis = 10
/** So many of the pieces that were read last are kept for readers who come to the same position. */
const keptPieces = 4
/** The free space of the disk is checked again after at most this many bytes. */
const maxBytesBetweenChecks = 64 * 1024 * 1024

const openUnnamed = async (folder: string): Promise<FileHandle> => {
  const path = join(folder, `${randomUUID()}.spool`)
  const file = await open(path, "wx+", 0o600)
  await rm(path)
  return file
}

/** The disk would have too little space left. */
export class DiskFull extends Error {
  constructor() {
    super("Too little space is left on the disk")
  }
}

export interface SpoolLimits {
  /** The highest number of bytes of the file. */
  readonly bytes: number
  /** The number of bytes that the disk may still take. */
  readonly spare: () => Promise<number>
  /** The first so many bytes stay in memory, so that little needs no file; the default is none. */
  readonly memory?: number
}

/**
 * What is written once and read by many at the same time: each reader follows the writer from the beginning. It lies in a file without a
 * name, so that nothing is left when the process dies, and whose space is free again when it is closed; and its beginning in memory.
 */
export class Spool {
  readonly #folder: string
  readonly #limits: SpoolLimits
  readonly #head: Array<Buffer> = []
  #headSize = 0
  #file: Promise<FileHandle> | undefined
  readonly #pieces = new LRUCache<number, Promise<Buffer>>({ max: keptPieces })
  #isClosed = false
  #readers = 0
  #size = 0
  /** What readers know of the size. */
  #announced = 0
  #announcement: NodeJS.Timeout | undefined
  /** The number of bytes that may be written before the next check. */
  #checkedBytes = 0
  #end: "open" | "whole" | Error = "open"
  #waiting: Array<() => void> = []

  /** The file is made in the folder, and the folder, when there is something for it. */
  static create(folder: string, limits: SpoolLimits): Spool {
    return new Spool(folder, limits)
  }

  private constructor(folder: string, limits: SpoolLimits) {
    this.#folder = folder
    this.#limits = limits
  }

  /** The number of bytes that were written. */
  get size(): number {
    return this.#size
  }

  /** The stream that takes the content, which ends with `finish` or `fail`, not with the stream. */
  sink(): Writable {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#append(chunk).then(() => done(), done)
      }
    })
  }

  /** Ends the content. */
  finish(): void {
    this.#conclude("whole")
  }

  /** Readers fail once they have read what is there. */
  fail(error: Error): void {
    this.#conclude(error)
  }

  /** Closes the file; call it when nobody reads or writes any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#file?.then(
      (file) => file.close(),
      // It could not be opened.
      () => {}
    )
  }

  /** The content from its beginning. `onClose` is called once, when it is read to its end or given up. */
  reader(onClose: () => void): Readable {
    let position = 0
    this.#readers++
    const next = async (reader: Readable) => {
      while (position === this.#announced && this.#end === "open" && !reader.destroyed) await this.#change()
      if (reader.destroyed) return
      if (position === this.#announced) {
        if (this.#end instanceof Error) reader.destroy(this.#end)
        else reader.push(null)
        return
      }
      const piece = await this.#read(position)
      position += piece.length
      reader.push(piece)
    }
    return new Readable({
      read() {
        next(this).catch((error) => this.destroy(error))
      },
      destroy: (error, done) => {
        this.#wake()
        if (--this.#readers === 0) this.#pieces.clear()
        onClose()
        done(error)
      }
    })
  }

  /** Fails when the disk has no space for so many bytes. */
  async requireSpace(bytes: number): Promise<void> {
    if (bytes > this.#checkedBytes) {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      this.#checkedBytes = Math.min(maxBytesBetweenChecks, await this.#limits.spare())
    }
    if (bytes > this.#checkedBytes) throw new DiskFull()
  }

  /** Some of what lies at a position, at least a byte. */
  async #read(position: number): Promise<Buffer> {
    let start = 0
    for (const piece of this.#head) {
      if (position < start + piece.length) return piece.subarray(position - start)
      start += piece.length
    }
    const known = this.#pieces.get(position)
    if (known !== undefined) return known
    const piece = this.#readFile(position - this.#headSize, Math.min(pieceBytes, this.#announced - position))
    this.#pieces.set(position, piece)
    piece.catch(() => this.#pieces.delete(position))
    return piece
  }

  async #readFile(position: number, length: number): Promise<Buffer> {
    const file = await this.#opened()
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position)
    return buffer.subarray(0, bytesRead)
  }

  async #append(chunk: Buffer): Promise<void> {
    const { bytes, memory = 0 } = this.#limits
    if (this.#size + chunk.length > bytes) throw new Error(`There are more than ${bytes} bytes`)
    if (this.#file === undefined && this.#size + chunk.length <= memory) {
      this.#head.push(chunk)
      this.#size = this.#headSize += chunk.length
    } else await this.#appendToFile(chunk)
    if (this.#size - this.#announced >= pieceBytes) this.#announce()
    else this.#announcement ??= setTimeout(() => this.#announce(), maxDelayMillis)
  }

  /** Tells the readers of all that is there. */
  #announce(): void {
    clearTimeout(this.#announcement)
    this.#announcement = undefined
    this.#announced = this.#size
    this.#wake()
  }

  async #appendToFile(chunk: Buffer): Promise<void> {
    await this.requireSpace(chunk.length)
    this.#checkedBytes -= chunk.length
    const file = await this.#opened()
    for (let from = 0; from < chunk.length; ) {
      const { bytesWritten } = await file.write(chunk, from, chunk.length - from, this.#size - this.#headSize)
      from += bytesWritten
      this.#size += bytesWritten
    }
  }

  /** Only the writer opens it. */
  #opened(): Promise<FileHandle> {
    if (this.#isClosed) throw new Error("The spool is closed")
    this.#file ??= openUnnamed(this.#folder)
    return this.#file
  }

  #conclude(end: "whole" | Error): void {
    if (this.#end === "open") this.#end = end
    this.#announce()
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }
}
