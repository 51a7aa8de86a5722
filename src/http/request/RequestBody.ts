import { Effect } from "effect"
import type { ByteBudget } from "../../platform/work/ByteBudget.ts"
import { HeldBytes } from "../../platform/work/HeldBytes.ts"
import { LeastRate } from "../../platform/work/LeastRate.ts"
import { requestTimeout, serviceUnavailable, type WireError } from "../answer/errors.ts"
import { bodyCutShort } from "./errors.ts"
import type { Incoming } from "./Incoming.ts"
import { leastBodyRate, maxCredentialBytes } from "./limits.ts"

const empty = new Uint8Array(0)
/** A body has to arrive within this time. */
const timeLimit = "5 minutes"

const noRoom = serviceUnavailable("503 Service Unavailable - too much is being sent to the service", 1)

/** The memory of bodies whose caller is not known before they are read, of others of at most `maxCredentialBytes`, and of larger ones. */
export interface BodyMemories {
  readonly anonymous: ByteBudget
  readonly small: ByteBudget
  readonly large: ByteBudget
}

export interface ReadOptions {
  /** Whom the memory is counted for. */
  readonly caller: string
  /** Whether that is an address, because nobody knows yet whose the body is. */
  readonly isAnonymous: boolean
  /** A client that sends nothing for so many milliseconds, or falls behind by as much, is let go. */
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
  #held: HeldBytes | undefined

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
   * The bytes. Fails as soon as they turn out to be too many, before anything is read if the declared length says so, with 408 when they
   * come too slowly, and with 503 where other bodies take the memory. Stops when the client goes away.
   */
  read(options: ReadOptions): Effect.Effect<Uint8Array, WireError> {
    if (this.isEmpty) return Effect.succeed(empty)
    const { caller, isAnonymous, limit, tooLarge } = options
    const length = Number(this.#incoming.headers["content-length"] ?? limit)
    if (length > limit) return Effect.fail(tooLarge)
    const memory = this.#memories[isAnonymous ? "anonymous" : length <= maxCredentialBytes ? "small" : "large"]
    this.#held = new HeldBytes({ memory, caller, freeBytes: 0, maxBytes: length })
    const collecting = collect(this.#incoming, this.#held, options)
    return Effect.timeoutOrElse(collecting, { duration: timeLimit, orElse: () => Effect.fail(requestTimeout) })
  }

  /** Gives the memory back, once nothing of the body is needed any more. */
  release(): void {
    this.#held?.release()
  }
}

const collect = (
  incoming: Incoming,
  held: HeldBytes,
  { idleMillis, limit, tooLarge }: ReadOptions
): Effect.Effect<Uint8Array, WireError> =>
  Effect.callback((resume) => {
    const source = incoming.body()
    const rate = new LeastRate({ ...leastBodyRate, overMillis: idleMillis })
    let lookedAt = performance.now()
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
    const awaitMore = () => setTimeout(() => refuse(requestTimeout), rate.leftMillis)
    let timer = awaitMore()
    const onData = (chunk: Buffer) => {
      const now = performance.now()
      rate.waited(now - lookedAt)
      rate.moved(chunk.length)
      lookedAt = now
      clearTimeout(timer)
      timer = awaitMore()
      if (!held.append(chunk)) refuse(held.bytes.length + chunk.length > limit ? tooLarge : noRoom)
    }
    const onEnd = () => settle(Effect.succeed(held.bytes))
    const onClose = () => settle(Effect.fail(bodyCutShort))
    if (source.destroyed) return onClose()
    // A connection that breaks is an error of the request, and then its end.
    source.on("error", () => {})
    source.on("data", onData).on("end", onEnd).on("close", onClose)
    return Effect.sync(stop)
  })
