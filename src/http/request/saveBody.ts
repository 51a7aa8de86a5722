import { open } from "node:fs/promises"
import { Effect } from "effect"
import type { TakenBytes } from "../../platform/work/ByteBudget.ts"
import { LeastRate } from "../../platform/work/LeastRate.ts"
import { payloadTooLarge, requestTimeout, serviceUnavailable, WireError } from "../answer/errors.ts"
import { bodyCutShort } from "./errors.ts"
import type { Incoming } from "./Incoming.ts"
import { leastBodyRate } from "./limits.ts"

const noRoom = serviceUnavailable("503 Service Unavailable - too much is being sent to the service", 10)

export interface SaveOptions {
  /** The file, which is made. */
  readonly path: string
  /** The highest number of bytes. */
  readonly limit: number
  /** What the bytes on the disk take. */
  readonly disk: TakenBytes
  /** A client that sends nothing for so many milliseconds, or falls behind by as much, is let go. */
  readonly idleMillis: number
}

/** The refusal that a failure is; undefined for what is none of the client's. */
const refusalOf = (cause: unknown): WireError | undefined => {
  if (cause instanceof WireError) return cause
  const isCut =
    cause instanceof Error && "code" in cause && ["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET"].includes(String(cause.code))
  return isCut ? bodyCutShort : undefined
}

const save = async (source: ReturnType<Incoming["body"]>, { disk, idleMillis, limit, path }: SaveOptions): Promise<number> => {
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
  await using file = await open(path, "wx")
  let bytes = 0
  for (let step = await next(); step.done !== true; step = await next()) {
    bytes += step.value.length
    rate.moved(step.value.length)
    if (bytes > limit) throw payloadTooLarge
    if (!disk.growTo(bytes)) throw noRoom
    await file.appendFile(step.value)
  }
  return bytes
}

/**
 * Writes the body of a request into a file as it comes, and answers its size. Fails when it turns out to be too large, before anything is
 * read if the declared length says so, with 408 when it comes too slowly, with 503 where others take the disk, and when it is cut short.
 */
export const saveBody = (
  { body, headers }: Pick<Incoming, "body" | "headers">,
  options: SaveOptions
): Effect.Effect<number, WireError> => {
  if (Number(headers["content-length"] ?? 0) > options.limit) return Effect.fail(payloadTooLarge)
  const saving = async () => {
    try {
      return Effect.succeed(await save(body(), options))
    } catch (cause) {
      const refusal = refusalOf(cause)
      if (refusal === undefined) throw cause
      return Effect.fail(refusal)
    }
  }
  return Effect.flatten(Effect.promise(saving))
}
