import { Effect } from "effect"
import type { ByteBudget } from "../../platform/work/ByteBudget.ts"
import { requestTimeout, serviceUnavailable, type WireError } from "../answer/errors.ts"
import { bodyCutShort } from "./errors.ts"
import type { Incoming } from "./Incoming.ts"
import { maxCredentialBytes } from "./limits.ts"

const empty = new Uint8Array(0)
/** A body has to arrive within this time. */
const timeLimit = "5 minutes"

const noRoom = serviceUnavailable("503 Service Unavailable - too much is being sent to the service", 1)

/** The memory of bodies of at most `maxCredentialBytes`, and that of larger ones. */
export interface BodyMemories {
  readonly small: ByteBudget
  readonly large: ByteBudget
}

export interface ReadOptions {
  /** Whom the memory is counted for. */
  readonly caller: string
  /** A client that sends nothing for so many milliseconds is let go. */
  readonly idleMillis: number
  /** The highest number of bytes. */
  readonly limit: number
  /** The refusal of a body that is larger. */
  readonly tooLarge: WireError
}

/** The body of one request, read once at most. Its memory is counted until it is released. Bodies of GET and HEAD are ignored, as in the reference. */
export class RequestBody {
  readonly #incoming: Incoming
  readonly #memories: BodyMemories
  /** Gives back what was taken. */
  #giveBack: () => void = () => {}

  constructor(incoming: Incoming, memories: BodyMemories) {
    this.#incoming = incoming
    this.#memories = memories
  }

  /** Whether there is nothing to read. */
  get isEmpty(): boolean {
    const { headers, method } = this.#incoming
    const length = headers["content-length"]
    return method === "GET" || method === "HEAD" || length === "0" || (length ?? headers["transfer-encoding"]) === undefined
  }

  /**
   * The bytes. Fails as soon as they turn out to be too many, before anything is read if the declared length says so, and with 503 where
   * other bodies take the memory. Stops when the client goes away.
   */
  read(options: ReadOptions): Effect.Effect<Uint8Array, WireError> {
    if (this.isEmpty) return Effect.succeed(empty)
    const { caller, limit, tooLarge } = options
    const bytes = Number(this.#incoming.headers["content-length"] ?? limit)
    if (bytes > limit) return Effect.fail(tooLarge)
    const memory = this.#memories[bytes <= maxCredentialBytes ? "small" : "large"]
    if (!memory.take(caller, bytes)) return Effect.fail(noRoom)
    this.#giveBack = () => memory.giveBack(caller, bytes)
    const collecting = collect(this.#incoming, options)
    return Effect.timeoutOrElse(collecting, { duration: timeLimit, orElse: () => Effect.fail(requestTimeout) })
  }

  /** Gives the memory back, once nothing of the body is needed any more. */
  release(): void {
    this.#giveBack()
    this.#giveBack = () => {}
  }
}

const collect = (incoming: Incoming, { idleMillis, limit, tooLarge }: ReadOptions): Effect.Effect<Uint8Array, WireError> =>
  Effect.callback((resume) => {
    const source = incoming.body()
    const chunks: Array<Buffer> = []
    let size = 0
    const stop = () => {
      clearTimeout(timer)
      source.off("data", onData).off("end", onEnd).off("close", onClose)
    }
    const settle = (outcome: Effect.Effect<Uint8Array, WireError>) => {
      stop()
      resume(outcome)
    }
    const refuse = (error: WireError) => {
      source.pause()
      settle(Effect.fail(error))
    }
    const timer = setTimeout(() => refuse(requestTimeout), idleMillis)
    const onData = (chunk: Buffer) => {
      timer.refresh()
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else refuse(tooLarge)
    }
    const onEnd = () => settle(Effect.succeed(Buffer.concat(chunks, size)))
    const onClose = () => settle(Effect.fail(bodyCutShort))
    if (source.destroyed) return onClose()
    // A connection that breaks is an error of the request, and then its end.
    source.on("error", () => {})
    source.on("data", onData).on("end", onEnd).on("close", onClose)
    return Effect.sync(stop)
  })
