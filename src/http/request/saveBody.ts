import { open } from "node:fs/promises"
import { Effect } from "effect"
import type { TakenBytes } from "../../platform/work/ByteBudget.ts"
import { LeastRate } from "../../platform/work/LeastRate.ts"
import { payloadTooLarge, requestTimeout, serviceUnavailable, WireError } from "../answer/errors.ts"
import { arrivingFile } from "./arrivingFile.ts"
import { bodyCutShort } from "./errors.ts"
import type { Incoming } from "./Incoming.ts"
import { leastBodyRate } from "./limits.ts"

const noRoom = serviceUnavailable("503 Service Unavailable - too much is being sent to the service", 10)

export interface ReceiveOptions {
  /** The highest number of bytes. */
  readonly limit: number
  /** What the bytes on the disk take. */
  readonly disk: Pick<TakenBytes, "growTo">
  /** A client that sends nothing for so many milliseconds, or falls behind by as much, is let go. */
  readonly idleMillis: number
}

export interface SaveOptions extends ReceiveOptions {
  /** The file, which is made. */
  readonly path: string
}

type Received = Pick<Incoming, "body" | "headers">

/** The refusal that a failure is; undefined for what is none of the client's. */
const refusalOf = (cause: unknown): WireError | undefined => {
  if (cause instanceof WireError) return cause
  const isCut =
    cause instanceof Error && "code" in cause && ["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET"].includes(String(cause.code))
  return isCut ? bodyCutShort : undefined
}

type Take = (piece: Buffer) => Promise<void>

const receive = async (source: ReturnType<Incoming["body"]>, { disk, idleMillis, limit }: ReceiveOptions, take: Take) => {
  const rate = new LeastRate({ ...leastBodyRate, overMillis: idleMillis })
  const pieces: AsyncIterator<Buffer> = source.iterator({ destroyOnReturn: false })
  const next = async () => {
    const since = performance.now()
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(requestTimeout), rate.leftMillis)
    try {
      return await Promise.race([pieces.next(), late.promise])
    } finally {
      clearTimeout(timer)
      rate.waited(performance.now() - since)
    }
  }
  let bytes = 0
  for (let step = await next(); step.done !== true; step = await next()) {
    bytes += step.value.length
    rate.moved(step.value.length)
    if (bytes > limit) throw payloadTooLarge
    if (!disk.growTo(bytes)) throw noRoom
    await take(step.value)
  }
  return bytes
}

const receiving = (
  { body, headers }: Received,
  limit: number,
  work: (source: ReturnType<Incoming["body"]>) => Promise<number>
): Effect.Effect<number, WireError> => {
  if (Number(headers["content-length"] ?? 0) > limit) return Effect.fail(payloadTooLarge)
  const settled = async () => {
    try {
      return Effect.succeed(await work(body()))
    } catch (cause) {
      const refusal = refusalOf(cause)
      if (refusal === undefined) throw cause
      return Effect.fail(refusal)
    }
  }
  return Effect.flatten(Effect.promise(settled))
}

/**
 * Hands on the body of a request piece by piece, each when `take` is done with the one before, and answers its size. Fails when it turns out
 * to be too large, before anything is read if the declared length says so, with 408 when it comes too slowly, with 503 where others take
 * the disk, when it is cut short, and with the `WireError` with which `take` rejects.
 */
export const receiveBody = (request: Received, options: ReceiveOptions, take: Take): Effect.Effect<number, WireError> =>
  receiving(request, options.limit, (source) => receive(source, options, take))

/** Writes the body of a request into a file as it comes, has it judged, and answers its size; fails as `receiveBody`. */
export const saveBody = Effect.fnUntraced(function* (request: Received, { path, ...options }: SaveOptions) {
  const arriving = yield* arrivingFile
  const bytes = yield* receiving(request, options.limit, async (source) => {
    await using file = await open(path, "wx")
    return await receive(source, options, (piece) => {
      arriving.add(piece)
      return file.appendFile(piece)
    })
  })
  yield* arriving.end()
  return bytes
})
