import { Readable, Writable } from "node:stream"
import { LRUCache } from "lru-cache"
import { LeastRate, type LeastRateOptions } from "../../platform/work/LeastRate.ts"
import { SpoolFile } from "./SpoolFile.ts"

/** What readers get at a time. */
const pieceBytes = 128 * 1024
/** Readers are told of fewer bytes only after so many milliseconds: many small pieces for many readers take longer than to wait. */
const maxDelayMillis = 10
/** So many of the pieces that were read last are kept for readers who come to the same position. */
const keptPieces = 4
/** A file that may not grow has at least this many bytes, so that readers do not wait for each piece. */
const minWindowBytes = 1024 * 1024
const defaultHoldMillis = 5_000

export interface SpoolLimits {
  /** The highest number of bytes of the content. */
  readonly bytes: number
  /** The number of bytes that the disk may still take. */
  readonly spare: () => Promise<number>
  /** The first so many bytes stay in memory, so that little needs no file; the default is none. */
  readonly memory?: number
  /**
   * Whether the file may grow by so many bytes; by default it may. Once it may not, its space is used again for what comes, as fast as the
   * slowest reader goes on, and nobody else may begin to read.
   */
  readonly mayGrow?: (bytes: number) => boolean
  /** Who holds up other readers for so many milliseconds at a piece is let go; the default is 5,000. */
  readonly maxHoldMillis?: number
  /** Who reads more slowly is let go, also alone, where the writer has to wait for it; by default it may take its time. */
  readonly leastRate?: LeastRateOptions
}

/** Somebody who reads, and how far. */
interface Place {
  readonly reader: Readable
  position: number
}

class HeldUpOthers extends Error {
  constructor() {
    super("Others were held up")
  }
}

class ReadTooSlowly extends Error {
  constructor() {
    super("The content was read too slowly")
  }
}

/**
 * What is written once and read by many at the same time: each reader follows the writer from the beginning. It lies in a file without a
 * name; its beginning in memory.
 */
export class Spool {
  readonly #limits: SpoolLimits
  readonly #head: Array<Buffer> = []
  #headSize = 0
  readonly #file: SpoolFile
  readonly #pieces = new LRUCache<number, Promise<Buffer>>({ max: keptPieces })
  readonly #readers = new Set<Place>()
  readonly #rate: LeastRate | undefined
  #isWindow = false
  #size = 0
  /** What readers know of the size. */
  #announced = 0
  #announcement: NodeJS.Timeout | undefined
  #end: "open" | "whole" | Error = "open"
  #waiting: Array<() => void> = []
  /** Lets the writer look again whether there is room. */
  #wakeWriter: () => void = () => {}

  /** The file is made in the folder, and the folder, when there is something for it. */
  static create(folder: string, limits: SpoolLimits): Spool {
    return new Spool(folder, limits)
  }

  private constructor(folder: string, limits: SpoolLimits) {
    this.#file = new SpoolFile(folder, limits.spare)
    this.#limits = limits
    this.#rate = limits.leastRate && new LeastRate(limits.leastRate)
  }

  /** The number of bytes that were written. */
  get size(): number {
    return this.#size
  }

  /** The number of bytes that it takes on the disk. */
  get fileBytes(): number {
    return this.#file.bytes
  }

  /** Whether all that was written can still be read. */
  get hasBeginning(): boolean {
    return !this.#isWindow
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
  close(): Promise<void> {
    const closing = this.#file.close()
    this.#wakeWriter()
    return closing
  }

  /** The content from its beginning. `onClose` is called once, when it is read to its end or given up. */
  reader(onClose: () => void): Readable {
    if (this.#isWindow) throw new Error("The beginning of the spool is gone")
    const next = async () => {
      while (place.position === this.#announced && this.#end === "open" && !reader.destroyed) await this.#change()
      if (reader.destroyed) return
      if (place.position === this.#announced) {
        if (this.#end instanceof Error) reader.destroy(this.#end)
        else reader.push(null)
        return
      }
      const piece = await this.#read(place.position)
      place.position += piece.length
      this.#wakeWriter()
      reader.push(piece)
    }
    const reader = new Readable({
      read: () => {
        next().catch((error) => reader.destroy(error))
      },
      destroy: (error, done) => {
        this.#wake()
        this.#readers.delete(place)
        this.#wakeWriter()
        if (this.#readers.size === 0) this.#pieces.clear()
        onClose()
        done(error)
      }
    })
    const place: Place = { reader, position: 0 }
    this.#readers.add(place)
    return reader
  }

  /** Fails when the disk has no space for so many bytes. */
  requireSpace(bytes: number): Promise<void> {
    return this.#file.requireSpace(bytes)
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
    const piece = this.#file.read(position - this.#headSize, Math.min(pieceBytes, this.#announced - position))
    this.#pieces.set(position, piece)
    piece.catch(() => this.#pieces.delete(position))
    return piece
  }

  async #append(chunk: Buffer): Promise<void> {
    const { bytes, memory = 0 } = this.#limits
    if (this.#size + chunk.length > bytes) throw new Error(`There are more than ${bytes} bytes`)
    if (this.#file.end === 0 && this.#size + chunk.length <= memory) {
      this.#head.push(chunk)
      this.#size = this.#headSize += chunk.length
    } else await this.#appendToFile(chunk)
    if (this.#size - this.#announced >= pieceBytes) this.#announce()
    else this.#announcement ??= setTimeout(() => this.#announce(), maxDelayMillis)
  }

  async #appendToFile(chunk: Buffer): Promise<void> {
    if (!this.#isWindow && this.#limits.mayGrow?.(chunk.length) === false) {
      this.#isWindow = true
      this.#file.stopGrowing(minWindowBytes)
    }
    for (let from = 0; from < chunk.length; from += pieceBytes) {
      const piece = chunk.subarray(from, from + pieceBytes)
      await this.#awaitRoom(piece.length)
      await this.#file.append(piece)
      this.#size += piece.length
    }
  }

  /** Waits until all readers have passed what so many bytes take the place of. */
  async #awaitRoom(bytes: number): Promise<void> {
    const start = this.#headSize + this.#file.startAfter(bytes)
    const behind = () => [...this.#readers].filter(({ position }) => position < start)
    if (behind().length === 0) return
    this.#announce()
    const timer = setTimeout(() => {
      if (this.#readers.size > 1) for (const { reader } of behind()) reader.destroy(new HeldUpOthers())
    }, this.#limits.maxHoldMillis ?? defaultHoldMillis)
    const letGo = () => {
      for (const { reader } of behind()) reader.destroy(new ReadTooSlowly())
    }
    const slow = this.#rate && setTimeout(letGo, this.#rate.leftMillis)
    const since = performance.now()
    while (behind().length > 0 && !this.#file.isClosed) {
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve
      })
    }
    clearTimeout(timer)
    clearTimeout(slow)
    this.#rate?.waited(performance.now() - since)
    this.#rate?.moved(bytes)
  }

  /** Tells the readers of all that is there. */
  #announce(): void {
    clearTimeout(this.#announcement)
    this.#announcement = undefined
    this.#announced = this.#size
    this.#wake()
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
