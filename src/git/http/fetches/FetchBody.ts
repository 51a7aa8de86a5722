import { pipeline, Readable, Writable } from "node:stream"
import { Data, Effect } from "effect"
import { TakenBytes } from "../../../platform/work/ByteBudget.ts"
import { type TooBusy, tooBusy } from "../../../platform/work/FairQueue.ts"
import { HeldBytes } from "../../../platform/work/HeldBytes.ts"
import { DiskFull, SpoolFile } from "../../process/SpoolFile.ts"
import type { Spools } from "../../process/Spools.ts"
import type { Exchange } from "../exchange.ts"
import type { GitHttpLimits } from "../limits.ts"
import { BodyRefused, idleTimeout, RequestBody, totalTimeout, undecodable } from "../requestBody.ts"
import { startTimer } from "../transferTimer.ts"

/** So many bytes of each body stay in memory without asking for room: that is what a clone sends. */
const freeBytes = 16 * 1024
/** So many stay there if there is room. */
const maxMemoryBytes = 1024 * 1024
/** Of a file so many bytes are read at a time. */
const pieceBytes = 64 * 1024

const tooLarge = new BodyRefused({ status: 413, text: "The request for a fetch is too large." })

/** Neither memory nor disk have room for more of the body. */
class NoRoom extends Data.TaggedError("NoRoom") {}

/**
 * The body of a fetch, kept until it is whole, because git and its place are needed only then: a small one in memory, one that is larger or
 * finds no room there in a file without a name. It is to be released.
 */
export class FetchBody {
  readonly #spools: Spools
  readonly #maxBytes: number
  readonly #memory: HeldBytes
  #size = 0
  #file: SpoolFile | undefined
  readonly #disk: TakenBytes

  constructor(spools: Spools, caller: string, { maxFetchBytes }: Pick<GitHttpLimits, "maxFetchBytes">) {
    this.#spools = spools
    this.#maxBytes = maxFetchBytes
    this.#memory = new HeldBytes({ memory: spools.bodyMemory, caller, freeBytes, maxBytes: maxMemoryBytes })
    this.#disk = new TakenBytes(spools.bodyFiles, caller, 0)
  }

  /** The whole body; undefined where it lies in a file. */
  get bytes(): Buffer | undefined {
    return this.#file === undefined ? this.#memory.bytes : undefined
  }

  /** The same, from wherever it lies. */
  content(): Buffer | Readable {
    return this.bytes ?? Readable.from(this.#pieces(), { objectMode: false })
  }

  /** Waits for the end of the body. Fails when the client is too slow or sends too much, and where there is no room. */
  receive(exchange: Exchange, { bodyMillis, idleMillis }: GitHttpLimits): Effect.Effect<void, BodyRefused | TooBusy> {
    return Effect.callback((resume) => {
      const body = new RequestBody(exchange)
      const sink = new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          clock.touch(chunk.length)
          this.#append(chunk).then(() => done(), done)
        }
      })
      const startedAt = performance.now()
      const expire = () => stop(performance.now() - startedAt < bodyMillis ? idleTimeout : totalTimeout)
      const clock = startTimer({ idleMillis, totalMillis: bodyMillis }, expire, () => !sink.writableNeedDrain)
      const settle = (outcome: Effect.Effect<void, BodyRefused | TooBusy>) => {
        clock.end()
        resume(outcome)
      }
      // What is left of the request is not read here any more.
      const stop = (error: Error) => {
        body.detach()
        sink.destroy(error)
      }
      pipeline(body, sink, (error) => {
        if (error) body.detach()
        if (!error) settle(Effect.void)
        else if (error instanceof BodyRefused) settle(Effect.fail(error))
        else if (error instanceof NoRoom || error instanceof DiskFull) settle(Effect.fail(tooBusy))
        else settle(body.errored === null ? Effect.die(error) : Effect.fail(undecodable))
      })
      return Effect.sync(() => {
        clock.end()
        stop(new NoRoom())
      })
    })
  }

  /** Gives back what it takes; again, nothing happens. */
  readonly release: Effect.Effect<void> = Effect.promise(async () => {
    await this.#file?.close()
    this.#memory.release()
    this.#disk.release()
  })

  async #append(chunk: Buffer): Promise<void> {
    if (this.#size + chunk.length > this.#maxBytes) throw tooLarge
    if (this.#file !== undefined || !this.#memory.append(chunk)) {
      if (this.#file === undefined) await this.#moveToFile()
      await this.#appendToFile(chunk, this.#size + chunk.length)
    }
    this.#size += chunk.length
  }

  async #moveToFile(): Promise<void> {
    this.#file = new SpoolFile(this.#spools.folder, this.#spools.spare)
    await this.#appendToFile(this.#memory.bytes, this.#size)
    this.#memory.release()
  }

  /** Appends bytes to the file, which is of `size` bytes then. */
  async #appendToFile(bytes: Buffer, size: number): Promise<void> {
    if (!this.#disk.growTo(size)) throw new NoRoom()
    await this.#file?.append(bytes)
  }

  async *#pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < this.#size; ) {
      const piece = await this.#file?.read(at, Math.min(pieceBytes, this.#size - at))
      if (piece === undefined) return
      at += piece.length
      yield piece
    }
  }
}
