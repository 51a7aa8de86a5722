import { createHash } from "node:crypto"
import { type FileHandle, open } from "node:fs/promises"
import { Writable } from "node:stream"
import { DiskFull } from "../../git/process/SpoolFile.ts"
import { mebibyte } from "../../kernel/units.ts"
import type { ExportedFile } from "../events.ts"

/** The free space of the disk is looked at again after so many bytes. */
const checkedBytes = 16 * mebibyte

/** A new file, of which the digest is known when it is whole. It fails rather than to take the last space of the disk. */
export class DraftFile extends Writable {
  readonly #path: string
  readonly #spare: () => Promise<number>
  readonly #hash = createHash("sha256")
  #file: FileHandle | undefined
  #bytes = 0
  /** So many bytes may be written before the disk is looked at again. */
  #left = 0

  /** `spare`: the number of bytes that the disk may still take. */
  constructor(path: string, spare: () => Promise<number>) {
    super({ highWaterMark: mebibyte })
    this.#path = path
    this.#spare = spare
  }

  /** The file, once the stream has finished. */
  get written(): ExportedFile {
    return { sha256: this.#hash.copy().digest("hex"), bytes: this.#bytes }
  }

  override _construct(done: (error?: Error | null) => void): void {
    open(this.#path, "wx").then((file) => {
      this.#file = file
      done()
    }, done)
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#append(chunk).then(() => done(), done)
  }

  /** It is on the disk before it is called whole. */
  override _final(done: (error?: Error | null) => void): void {
    const synced = this.#file?.sync() ?? Promise.resolve()
    synced.then(() => done(), done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const closed = this.#file?.close() ?? Promise.resolve()
    closed.then(() => done(error), done)
  }

  async #append(chunk: Buffer): Promise<void> {
    if (chunk.length > this.#left) this.#left = Math.min(checkedBytes, await this.#spare())
    if (chunk.length > this.#left) throw new DiskFull()
    this.#left -= chunk.length
    this.#hash.update(chunk)
    this.#bytes += chunk.length
    await this.#file?.appendFile(chunk)
  }
}
