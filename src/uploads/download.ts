import { open } from "node:fs/promises"
import { Effect } from "effect"
import { noneMatchNames } from "../http/answer/conditional.ts"
import { attachment, inline } from "../http/answer/contentDisposition.ts"
import { WireError } from "../http/answer/errors.ts"
import { type OtherReply, RawBody, type Reply } from "../http/answer/Reply.ts"
import { binaryType, typeOf } from "./names.ts"
import { type Range, rangeOf } from "./ranges.ts"

/** A file that is to be sent. */
interface Sent {
  readonly name: string
  readonly path: string
  readonly sha256: string
}

export const uploadNotFound = new WireError({ status: 404, body: { message: "404 Not Found" } })

const unsatisfiable = (bytes: number) =>
  new WireError({ status: 416, body: { message: "416 Range Not Satisfiable" }, headers: { "content-range": `bytes */${bytes}` } })

/** Nothing of strangers runs in the name of the service, wherever it is shown. */
const harmless = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"
} as const

const isCurrent = (ifRange: string | undefined, etag: string): boolean => ifRange === undefined || ifRange.trim() === etag

/** The content of a file, or a part of it; undefined where the file is gone, or nobody waits for it any more. */
const contentOf = async (path: string, choose: (bytes: number) => Range | null | undefined, signal: AbortSignal) => {
  const file = await open(path).catch(() => undefined)
  const bytes = (await file?.stat().catch(() => undefined))?.size
  if (file === undefined || bytes === undefined || signal.aborted) {
    await file?.close()
    return undefined
  }
  const range = choose(bytes)
  if (range === null) {
    await file.close()
    return { bytes, range }
  }
  const content = file.createReadStream(range === undefined ? {} : { start: range.first, end: range.last })
  return { bytes, range, content }
}

type FileReply = Reply<RawBody> | OtherReply<206, RawBody>

/** The answer to who asks for a file with these headers. */
export const download = Effect.fnUntraced(function* (
  { name, path, sha256 }: Sent,
  headers: Readonly<Record<string, string | undefined>>
) {
  const [type, etag] = [typeOf(name), `"${sha256}"`]
  const shared = {
    ...harmless,
    etag,
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    "content-disposition": (type === binaryType ? attachment : inline)(name)
  }
  if (noneMatchNames(headers["if-none-match"], etag)) {
    return yield* new WireError({ status: 304, body: "", headers: shared })
  }
  const asked = isCurrent(headers["if-range"], etag) ? headers.range : undefined
  const found = yield* Effect.promise((signal) => contentOf(path, (bytes) => rangeOf(asked, bytes), signal))
  if (found === undefined) return yield* uploadNotFound
  const { bytes, content, range } = found
  if (content === undefined) return yield* unsatisfiable(bytes)
  const body = new RawBody(type, content)
  const length = range === undefined ? bytes : range.last - range.first + 1
  const sent = { ...shared, "content-length": String(length) }
  const reply: FileReply =
    range === undefined
      ? { body, headers: sent }
      : { status: 206, body, headers: { ...sent, "content-range": `bytes ${range.first}-${range.last}/${bytes}` } }
  return reply
})
