import { randomUUID } from "node:crypto"
import { type FileHandle, mkdir, open, rm } from "node:fs/promises"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"

const chunkBytes = 64 * 1024
/** The free space of the disk is checked again after at most this many bytes. */
const maxBytesBetweenChecks = 64 * 1024 * 1024

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
}

/**
 * A file that is written once and read by many at the same time: each reader follows the writer from the beginning. The file has no name,
 * so that nothing is left when the process dies; its space is free again when it is closed.
 */
export class Spool {
  readonly #file: FileHandle
  readonly #limits: SpoolLimits
  #size = 0
  /** The number of bytes that may be written before the next check. */
  #checkedBytes = 0
  #end: "open" | "whole" | Error = "open"
  #waiting: Array<() => void> = []

  private constructor(file: FileHandle, limits: SpoolLimits) {
    this.#file = file
    this.#limits = limits
  }

  /** Creates the file, and its folder if there is none. */
  static async create(folder: string, limits: SpoolLimits): Promise<Spool> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${randomUUID()}.spool`)
    const file = await open(path, "wx+", 0o600)
    await rm(path)
    return new Spool(file, limits)
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
    return this.#file.close()
  }

  /** The content from its beginning. `onClose` is called once, when it is read to its end or given up. */
  reader(onClose: () => void): Readable {
    let position = 0
    const next = async (reader: Readable) => {
      while (position === this.#size && this.#end === "open" && !reader.destroyed) await this.#change()
      if (reader.destroyed) return
      if (position === this.#size) {
        if (this.#end instanceof Error) reader.destroy(this.#end)
        else reader.push(null)
        return
      }
      const length = Math.min(chunkBytes, this.#size - position)
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, position)
      position += bytesRead
      reader.push(buffer.subarray(0, bytesRead))
    }
    return new Readable({
      read() {
        next(this).catch((error) => this.destroy(error))
      },
      destroy: (error, done) => {
        this.#wake()
        onClose()
        done(error)
      }
    })
  }

  /** Fails when the disk has no space for so many bytes. */
  async requireSpace(bytes: number): Promise<void> {
    if (bytes > this.#checkedBytes) this.#checkedBytes = Math.min(maxBytesBetweenChecks, await this.#limits.spare())
    if (bytes > this.#checkedBytes) throw new DiskFull()
  }

  async #append(chunk: Buffer): Promise<void> {
    if (this.#size + chunk.length > this.#limits.bytes) throw new Error(`The archive exceeds ${this.#limits.bytes} bytes`)
    await this.requireSpace(chunk.length)
    this.#checkedBytes -= chunk.length
    for (let from = 0; from < chunk.length; ) {
      const { bytesWritten } = await this.#file.write(chunk, from, chunk.length - from, this.#size)
      from += bytesWritten
      this.#size += bytesWritten
    }
    this.#wake()
  }

  #conclude(end: "whole" | Error): void {
    if (this.#end === "open") this.#end = end
    this.#wake()
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
