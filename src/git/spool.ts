import { randomUUID } from "node:crypto"
import { type FileHandle, mkdir, open, rm } from "node:fs/promises"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"

const pieceBytes = 64 * 1024

/**
 * A file that is written once and read by many at the same time: each reader follows the writer from the beginning. The file has no name,
 * so that nothing is left when the process dies; its space is free again when it is closed.
 */
export class Spool {
  readonly #file: FileHandle
  readonly #limit: number
  #size = 0
  #end: "open" | "whole" | Error = "open"
  #waiting: Array<() => void> = []

  private constructor(file: FileHandle, limit: number) {
    this.#file = file
    this.#limit = limit
  }

  /** Makes the folder too. Writing more than `limit` bytes fails. */
  static async create(folder: string, limit: number): Promise<Spool> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${randomUUID()}.spool`)
    const file = await open(path, "wx+", 0o600)
    await rm(path)
    return new Spool(file, limit)
  }

  /** Where the content goes. It ends with `finish` or `fail`, not when the stream does. */
  sink(): Writable {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#append(chunk).then(() => done(), done)
      }
    })
  }

  /** All of the content is there. */
  finish(): void {
    this.#conclude("whole")
  }

  /** Readers fail once they have read what is there. */
  fail(error: Error): void {
    this.#conclude(error)
  }

  /** To be called when nobody reads or writes any more. */
  close(): Promise<void> {
    return this.#file.close()
  }

  /** The content from its beginning. `onLeave` is called once, when it is read to its end or given up. */
  reader(onLeave: () => void): Readable {
    let position = 0
    const next = async (reader: Readable) => {
      while (position === this.#size && this.#end === "open" && !reader.destroyed) await this.#change()
      if (reader.destroyed) return
      if (position === this.#size) {
        if (this.#end instanceof Error) reader.destroy(this.#end)
        else reader.push(null)
        return
      }
      const length = Math.min(pieceBytes, this.#size - position)
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
        onLeave()
        done(error)
      }
    })
  }

  async #append(chunk: Buffer): Promise<void> {
    if (this.#size + chunk.length > this.#limit) throw new Error(`An archive of more than ${this.#limit} bytes`)
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
