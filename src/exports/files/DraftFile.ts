import { Writable } from "node:stream"
import { type Digested, DigestedFile } from "../../git/process/DigestedFile.ts"
import { mebibyte } from "../../kernel/units.ts"

/** A `DigestedFile` as a stream. */
export class DraftFile extends Writable {
  readonly #path: string
  readonly #spare: () => Promise<number>
  #file: DigestedFile | undefined

  /** `spare`: the number of bytes that the disk may still take. */
  constructor(path: string, spare: () => Promise<number>) {
    super({ highWaterMark: mebibyte })
    this.#path = path
    this.#spare = spare
  }

  /** The file, once the stream has finished. */
  get written(): Digested {
    if (this.#file === undefined) throw new Error("The file is not made yet")
    return this.#file.written
  }

  override _construct(done: (error?: Error | null) => void): void {
    DigestedFile.create(this.#path, this.#spare).then((file) => {
      this.#file = file
      done()
    }, done)
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const written = this.#file?.append(chunk) ?? Promise.resolve()
    written.then(() => done(), done)
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
}
