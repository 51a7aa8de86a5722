import { Readable } from "node:stream"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect } from "effect"
import { Objects } from "../../git/objects/Objects.ts"
import type { Repository } from "../../git/Repository.ts"
import { JsonStream, revalidate } from "../../http/answer/Reply.ts"

/** A blob of up to this many bytes is read at once; a larger one is streamed. */
export const maxBufferedBytes = 1024 * 1024

/** Headers of bytes, which nobody in between may keep. */
export const rawHeaders = {
  "cache-control": `${revalidate["cache-control"]}, no-store, no-cache`,
  expires: "Fri, 01 Jan 1990 00:00:00 GMT",
  pragma: "no-cache"
}

export interface BlobAt {
  readonly repository: Repository
  /** The full id of the object. */
  readonly id: string
  /** The size in bytes. */
  readonly size: number
}

/** The content of a blob: its bytes, or for a large one a stream that begins when it is read. undefined: it is gone. */
export const blobContent = Effect.fnUntraced(function* ({ id, repository, size }: BlobAt) {
  const objects = yield* Objects
  if (size > maxBufferedBytes) return yield* NodeStream.toReadable(objects.stream(repository, id))
  return (yield* Effect.orDie(objects.read(repository, id)))?.content
})

/** Goes on without a break from piece to piece: three bytes are four characters. */
async function* base64Of(content: Readable): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of content) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % 3)
    yield bytes.toString("base64", 0, whole)
    rest = bytes.subarray(whole)
  }
  yield rest.toString("base64")
}

interface JsonParts<B extends object, A extends object> {
  /** The fields in front of `content`, at least one. */
  readonly before: B
  readonly content: Readable
  /** The fields behind it. */
  readonly after?: A
}

async function* jsonOf({ after = {}, before, content }: JsonParts<object, object>): AsyncGenerator<string> {
  yield `${JSON.stringify(before).slice(0, -1)},"content":"`
  yield* base64Of(content)
  const tail = JSON.stringify(after).slice(1)
  yield tail === "}" ? `"}` : `",${tail}`
}

/** A JSON object with a `content` in Base64 that comes piece by piece. */
export const jsonWithContent = <const B extends object, const A extends object = object>(
  parts: JsonParts<B, A>
): JsonStream<B & { readonly content: string } & A> => new JsonStream(Readable.from(jsonOf(parts), { objectMode: false }))
