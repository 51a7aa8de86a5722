import { once } from "node:events"
import { Readable } from "node:stream"
import { NodeStream } from "@effect/platform-node"
import { Effect } from "effect"
import type { ObjectInfo } from "../git/catFileAnswers.ts"
import { Objects } from "../git/Objects.ts"
import { isObjectId } from "../git/objectId.ts"
import { Repositories } from "../git/Repositories.ts"
import type { Repository } from "../git/Repository.ts"
import { guardedRoute } from "../http/Endpoint.ts"
import { thingNotFound } from "../http/errors.ts"
import { ok, type Reply } from "../http/Reply.ts"
import type { ProjectRow } from "../projects/Projects.ts"
import { requireCode } from "./access.ts"
import { readBlob, readRawBlob } from "./contract.ts"
import { DownloadLimits, largeBlobBytes } from "./DownloadLimits.ts"
import { rawType } from "./rawContentType.ts"
import { objectOf } from "./revision.ts"
import type { BlobShape } from "./shapes.ts"

/** Bytes up to which a blob is read at once; larger ones are sent as they come. */
const atOnceBytes = 1024 * 1024

const noBlob = thingNotFound("Blob")

const requireBlob = Effect.fnUntraced(function* (project: ProjectRow, sha: string | null) {
  const id = sha?.toLowerCase() ?? ""
  if (!isObjectId(id)) return yield* noBlob
  const found = yield* objectOf(project, id)
  if (found?.type !== "blob") return yield* noBlob
  return { info: found, repository: (yield* Repositories).of(project.id) }
})

const contentOf = Effect.fnUntraced(function* (repository: Repository, { id }: ObjectInfo) {
  const objects = yield* Objects
  const blob = yield* Effect.orDie(objects.read(repository, id))
  return blob?.content ?? (yield* noBlob)
})

/** Opens the blob when it is first read. */
const streamOf = (repository: Repository, { id }: ObjectInfo) =>
  Objects.useSync((objects) => NodeStream.toReadableNever(objects.stream(repository, id)))

/** Base64 goes on without a break from piece to piece: three bytes are four characters. */
async function* base64Of(content: Readable): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const chunk of content) {
    const bytes = Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % 3)
    yield bytes.toString("base64", 0, whole)
    rest = bytes.subarray(whole)
  }
  yield rest.toString("base64")
}

async function* jsonOf({ id, size }: ObjectInfo, content: Readable): AsyncGenerator<string> {
  yield `{"size":${size},"encoding":"base64","content":"`
  yield* base64Of(content)
  yield `","sha":"${id}"}`
}

export const blobRoute = guardedRoute(
  readBlob,
  requireCode,
  Effect.fnUntraced(function* ({ guarded: { project }, parameters }) {
    const { info, repository } = yield* requireBlob(project, parameters.sha)
    const { id, size } = info
    if (size > largeBlobBytes) yield* DownloadLimits.use((limits) => limits.largeBlob(project.id))
    if (size > atOnceBytes) {
      const json = jsonOf(info, yield* streamOf(repository, info))
      const large: Reply = { raw: { contentType: "application/json", content: Readable.from(json, { objectMode: false }) } }
      return large
    }
    const content = yield* contentOf(repository, info)
    const body: typeof BlobShape.Type = { size, encoding: "base64", content: content.toString("base64"), sha: id }
    return ok(body)
  })
)

/** The first piece of a stream, which is still read from its beginning afterwards. */
const peek = (content: Readable): Effect.Effect<Buffer> =>
  Effect.promise(async (signal) => {
    await once(content, "readable", { signal })
    const first: unknown = content.read()
    if (!(first instanceof Uint8Array)) return Buffer.alloc(0)
    content.unshift(first)
    return Buffer.from(first.buffer, first.byteOffset, first.byteLength)
  }).pipe(Effect.onError(() => Effect.sync(() => content.destroy())))

/** A blob has no name, and is not to be kept by anybody in between. */
const rawHeaders = {
  "cache-control": "max-age=0, private, must-revalidate, no-store, no-cache",
  expires: "Fri, 01 Jan 1990 00:00:00 GMT",
  pragma: "no-cache"
}

export const rawBlobRoute = guardedRoute(
  readRawBlob,
  requireCode,
  Effect.fnUntraced(function* ({ guarded: { project }, parameters }) {
    const { info, repository } = yield* requireBlob(project, parameters.sha)
    const isLarge = info.size > atOnceBytes
    const content = isLarge ? yield* streamOf(repository, info) : yield* contentOf(repository, info)
    const start = content instanceof Readable ? yield* peek(content) : content
    const { contentType, disposition } = rawType(start, info.size)
    const headers = { ...rawHeaders, "content-disposition": disposition, ...(isLarge && { "content-length": String(info.size) }) }
    const reply: Reply = { raw: { contentType, content }, headers }
    return reply
  })
)
