import { Transform, type TransformCallback, type Writable } from "node:stream"
import { createGunzip } from "node:zlib"
import { Data, Effect } from "effect"
import type { TakenBytes } from "../../platform/work/ByteBudget.ts"
import { TooBusy, tooBusy } from "../../platform/work/FairQueue.ts"
import { LeastRate } from "../../platform/work/LeastRate.ts"
import type { Exchange } from "./exchange.ts"
import type { GitHttpLimits } from "./limits.ts"
import { startTimer } from "./transferTimer.ts"

/** A body that is not given to git. */
export class BodyRefused extends Data.TaggedError("BodyRefused")<{
  readonly status: 400 | 408 | 413 | 415
  readonly text: string
}> {}

export const undecodable = new BodyRefused({
  status: 400,
  text: "The body of the request is not what its Content-Encoding says."
})
export const idleTimeout = new BodyRefused({ status: 408, text: "The request was ended: it stood still." })
export const totalTimeout = new BodyRefused({ status: 408, text: "The request was ended: it took too long." })
const unknownEncoding = new BodyRefused({ status: 415, text: "The Content-Encoding of the request is not supported." })

/** Why the headers of a call to a service do not fit; undefined when they do. */
export const headerFault = ({ request }: Exchange, contentType: string): BodyRefused | undefined => {
  const { "content-encoding": encoding = "identity", "content-type": type = "" } = request.headers
  if (type.split(";")[0]?.trim().toLowerCase() !== contentType)
    return new BodyRefused({ status: 415, text: `The Content-Type of the request must be ${contentType}.` })
  return ["identity", "gzip", "x-gzip"].includes(encoding.toLowerCase()) ? undefined : unknownEncoding
}

/** At most this many bytes of a body are read before somebody takes them. */
const maxAhead = 256 * 1024
/** A piece takes as much memory at least. */
const pieceBytes = 512

/** The event of a piece, of so many bytes, or of the end. */
const progress = "progress"

/** How a body is read before somebody takes it. */
export interface ReadAhead {
  /** Whether the pieces up to this one are all that is needed first. */
  readonly isEnough: (chunk: Buffer) => boolean
  /** What that takes. */
  readonly memory: TakenBytes
}

/** The body of a request, decompressed, of which a part may be read ahead: as much as fits, or until a piece `isEnough`. */
export class RequestBody extends Transform {
  readonly #exchange: Exchange
  /** Undefined once somebody takes it. */
  #ahead: ReadAhead | undefined
  #bytesAhead = 0
  #hasHead = false
  #hasAll = false
  /** Reads on. */
  #goOn: () => void = () => {}

  constructor(exchange: Exchange, ahead?: ReadAhead) {
    super({ readableHighWaterMark: maxAhead })
    this.#exchange = exchange
    this.#ahead = ahead
    const { request, response } = exchange
    // A client that sent `expect` is asked for the body only now.
    if (request.headers.expect !== undefined && !response.headersSent) response.writeContinue()
    const isPacked = /gzip/i.test(request.headers["content-encoding"] ?? "")
    const source = isPacked ? request.pipe(createGunzip()) : request
    if (source !== request) source.once("error", () => this.destroy(undecodable))
    source.pipe(this)
    // Whoever reads it next is told.
    this.on("error", () => {})
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    if (this.#ahead === undefined) done(null, chunk)
    else this.#readAhead(this.#ahead, chunk, done)
  }

  #readAhead({ isEnough, memory }: ReadAhead, chunk: Buffer, done: TransformCallback): void {
    this.#bytesAhead += Math.max(pieceBytes, chunk.length)
    if (!memory.growTo(this.#bytesAhead)) {
      done(tooBusy)
      return
    }
    this.push(chunk)
    this.#hasHead ||= this.readableLength >= maxAhead || isEnough(chunk)
    // Nothing more is read before somebody takes it.
    if (this.#hasHead) this.#goOn = done
    else done()
    this.emit(progress, chunk.length)
  }

  override _flush(done: TransformCallback): void {
    done()
    this.#hasHead = true
    this.#hasAll = true
    this.emit(progress, 0)
  }

  /** Goes on beyond what was read ahead, for whoever takes it; again, nothing happens. */
  goOn(): void {
    this.#ahead?.memory.release()
    this.#ahead = undefined
    this.#goOn()
    this.#goOn = () => {}
  }

  /** The whole body, where all of it was read ahead; undefined where more is to come. */
  takeAll(): Buffer | undefined {
    if (!this.#hasAll || this.readableLength > maxAhead) return undefined
    const all: Buffer | null = this.read()
    return all ?? Buffer.alloc(0)
  }

  /** The same, to be read again afterwards. */
  peekAll(): Buffer | undefined {
    const all = this.takeAll()
    if (all !== undefined && all.length > 0) this.unshift(all)
    return all
  }

  /** Reads no more of the request. */
  detach(): void {
    this.#ahead?.memory.release()
    this.#ahead = undefined
    this.#exchange.request.unpipe()
  }

  /**
   * Waits for what is read ahead. Fails when nothing comes for `idleMillis` milliseconds, when it comes too slowly or takes more than
   * `bodyMillis`, where there is no room, and for bytes that cannot be decompressed. Who went away is waited for no longer.
   */
  awaitHead({ bodyMillis, idleMillis, leastPushRate }: HeadLimits): Effect.Effect<void, BodyRefused | TooBusy> {
    return Effect.callback((resume) => {
      const { request } = this.#exchange
      const settle = (outcome: Effect.Effect<void, BodyRefused | TooBusy>) => {
        clock.end()
        this.off(progress, onProgress)
        this.off("close", onClose)
        request.off("close", onClose)
        resume(outcome)
      }
      const onClose = () => {
        const { errored } = this
        if (errored === null) settle(Effect.void)
        else settle(Effect.fail(errored instanceof TooBusy ? errored : undecodable))
      }
      const startedAt = performance.now()
      const expire = () => settle(Effect.fail(performance.now() - startedAt < bodyMillis ? idleTimeout : totalTimeout))
      const rate = new LeastRate(leastPushRate)
      const clock = startTimer({ idleMillis, totalMillis: bodyMillis, rate }, expire)
      const onProgress = (bytes: number) => {
        clock.touch(bytes)
        if (this.#hasHead) settle(Effect.void)
      }
      this.once("close", onClose)
      request.once("close", onClose)
      this.on(progress, onProgress)
      if (this.#hasHead) settle(Effect.void)
      else if (this.destroyed || request.destroyed) onClose()
      return Effect.sync(() => settle(Effect.void))
    })
  }
}

type HeadLimits = Pick<GitHttpLimits, "bodyMillis" | "idleMillis" | "leastPushRate">

export interface PumpOptions {
  /** Inspects each piece before it goes on; a fault ends the request. */
  readonly inspect: (chunk: Buffer) => BodyRefused | undefined
  readonly onFault: (fault: BodyRefused) => void
  /** Called when the whole body has arrived, whether or not git read it. */
  readonly onComplete: () => void
}

/**
 * Gives a body to a process piece by piece, as fast as that takes it; when it takes no more, the rest is read and thrown away, because
 * clients send everything before they read. Answers how to leave off: then nothing more of it is read here.
 */
export const pump = (body: RequestBody, target: Writable, { inspect, onComplete, onFault }: PumpOptions): (() => void) => {
  let isOver = false
  const leave = () => {
    isOver = true
    body.detach()
    body.removeAllListeners("data")
  }
  const fail = (fault: BodyRefused) => {
    if (isOver) return
    leave()
    target.destroy()
    onFault(fault)
  }
  const wake = () => body.resume()
  body.on("data", (chunk: Buffer) => {
    const fault = inspect(chunk)
    if (fault !== undefined) return fail(fault)
    if (target.writable && !target.write(chunk)) body.pause()
  })
  target.on("drain", wake)
  target.once("close", wake)
  body.once("end", () => {
    if (isOver) return
    isOver = true
    target.end()
    onComplete()
  })
  if (body.errored !== null) fail(undecodable)
  else body.once("error", () => fail(undecodable))
  return leave
}
