import { randomUUID } from "node:crypto"
import { type FileHandle, open, rm } from "node:fs/promises"
import { join } from "node:path"
import { makeFolder } from "./makeFolder.ts"

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

/** A file without a name, so that nothing is left when the process dies, and whose space is free again when it is closed. */
export class SpoolFile {
  readonly #folder: string
  readonly #spare: () => Promise<number>
  #file: Promise<FileHandle> | undefined
  #isClosed = false
  #end = 0
  #capacity = Number.POSITIVE_INFINITY
  /** The number of bytes that may be written before the next check. */
  #checkedBytes = 0

  /** The file is made in the folder, and the folder, when there is something for it. `spare`: the number of bytes that the disk may still take. */
  constructor(folder: string, spare: () => Promise<number>) {
    this.#folder = folder
    this.#spare = spare
  }

  /** The number of bytes that were written. */
  get end(): number {
    return this.#end
  }

  /** The number of bytes that it takes on the disk. */
  get bytes(): number {
    return Math.min(this.#end, this.#capacity)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The position before which nothing can be read any more once so many bytes were appended. */
  startAfter(bytes: number): number {
    return this.#end + bytes - this.#capacity
  }

  /** From now on the file does not grow beyond what it has, or so many bytes: what is appended takes the place of what was written first. */
  stopGrowing(bytes: number): void {
    this.#capacity = Math.min(this.#capacity, Math.max(bytes, this.#end))
  }

  /** Fails when the disk has no space for so many bytes, or takes no file. */
  async requireSpace(bytes: number): Promise<void> {
    if (bytes <= this.#checkedBytes) return
    await makeFolder(this.#folder, 0o700)
    this.#checkedBytes = Math.min(maxBytesBetweenChecks, await this.#spare())
    if (bytes > this.#checkedBytes) throw new DiskFull()
    await this.#opened()
  }

  /** Only one may append at a time. */
  async append(chunk: Buffer): Promise<void> {
    const growth = Math.min(chunk.length, this.#capacity - this.bytes)
    if (growth > 0) await this.requireSpace(growth)
    this.#checkedBytes -= growth
    const file = await this.#opened()
    for (let from = 0; from < chunk.length; ) {
      const at = this.#end % this.#capacity
      const length = Math.min(chunk.length - from, this.#capacity - at)
      const { bytesWritten } = await file.write(chunk, from, length, at)
      from += bytesWritten
      this.#end += bytesWritten
    }
  }

  /** Reads at most `length` bytes at a position, and at least one. */
  async read(position: number, length: number): Promise<Buffer> {
    const at = position % this.#capacity
    const file = await this.#opened()
    const wanted = Math.min(length, this.#capacity - at)
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, at)
    return buffer.subarray(0, bytesRead)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#file?.then(
      (file) => file.close(),
      // It could not be opened.
      () => {}
    )
  }

  #opened(): Promise<FileHandle> {
    if (this.#isClosed) throw new Error("The spool is closed")
    this.#file ??= openUnnamed(this.#folder)
    return this.#file
  }
}
