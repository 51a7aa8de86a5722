import { createHash } from "node:crypto"
import { type FileHandle, open } from "node:fs/promises"
import { mebibyte } from "../../kernel/units.ts"
import { DiskFull } from "./SpoolFile.ts"

/** The free space of the disk is looked at again after so many bytes. */
const checkedBytes = 16 * mebibyte

/** A file by its content. */
export interface Digested {
  readonly sha256: string
  readonly bytes: number
}

/** A new file, of which the digest is known when it is whole. It fails with `DiskFull` rather than to take the last space of the disk. */
export class DigestedFile {
  readonly #file: FileHandle
  readonly #spare: () => Promise<number>
  readonly #hash = createHash("sha256")
  #bytes = 0
  /** So many bytes may be written before the disk is looked at again. */
  #left = 0

  private constructor(file: FileHandle, spare: () => Promise<number>) {
    this.#file = file
    this.#spare = spare
  }

  /** Makes the file. `spare`: the number of bytes that the disk may still take. */
  static async create(path: string, spare: () => Promise<number>): Promise<DigestedFile> {
    return new DigestedFile(await open(path, "wx"), spare)
  }

  /** What was written so far. */
  get written(): Digested {
    return { sha256: this.#hash.copy().digest("hex"), bytes: this.#bytes }
  }

  /** Only one may append at a time. */
  async append(chunk: Uint8Array): Promise<void> {
    if (chunk.length > this.#left) this.#left = Math.min(checkedBytes, await this.#spare())
    if (chunk.length > this.#left) throw new DiskFull()
    this.#left -= chunk.length
    this.#hash.update(chunk)
    this.#bytes += chunk.length
    await this.#file.appendFile(chunk)
  }

  /** Brings it to the disk. */
  sync(): Promise<void> {
    return this.#file.sync()
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}
