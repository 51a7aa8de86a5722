import { once } from "node:events"
import { Readable } from "node:stream"
import { Effect } from "effect"
import { isObjectId } from "../../git/objectId.ts"
import { Repositories } from "../../git/Repositories.ts"
import { thingNotFound } from "../../http/answer/errors.ts"
import { ok, RawBody, revalidate } from "../../http/answer/Reply.ts"
import { guardedRoute } from "../../http/Endpoint.ts"
import type { ProjectRow } from "../../projects/Projects.ts"
import { requireCode } from "../access.ts"
import { readBlob, readRawBlob } from "../contract.ts"
import { DownloadLimits, largeBlobBytes } from "../DownloadLimits.ts"
import { rawType } from "../rawContentType.ts"
import { objectOf } from "../revision.ts"
import { type BlobAt, blobContent, jsonWithContent, rawHeaders } from "./content.ts"

const noBlob = thingNotFound("Blob")
const requireBlob = Effect.fnUntraced(function* (project: ProjectRow, sha: string | null) {
  const id = sha?.toLowerCase() ?? ""
  if (!isObjectId(id)) return yield* noBlob
  const found = yield* objectOf(project, id)
  if (found?.type !== "blob") return yield* noBlob
  const blob: BlobAt = { repository: (yield* Repositories).of(project.id), id: found.id, size: found.size }
  return blob
})

const contentOf = Effect.fnUntraced(function* (blob: BlobAt) {
  return (yield* blobContent(blob)) ?? (yield* noBlob)
})

export const blobRoute = guardedRoute(
  readBlob,
  requireCode,
  Effect.fnUntraced(function* ({ guarded: { project }, parameters }) {
    const blob = yield* requireBlob(project, parameters.sha)
    const { id: sha, size } = blob
    if (size > largeBlobBytes) yield* DownloadLimits.use((limits) => limits.largeBlob(project.id))
    const content = yield* contentOf(blob)
    if (content instanceof Readable) {
      const body = jsonWithContent({ before: { size, encoding: "base64" }, content, after: { sha } })
      return { body, headers: revalidate }
    }
    return ok({ size, encoding: "base64", content: content.toString("base64"), sha })
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

export const rawBlobRoute = guardedRoute(
  readRawBlob,
  requireCode,
  Effect.fnUntraced(function* ({ guarded: { project }, parameters }) {
    const blob = yield* requireBlob(project, parameters.sha)
    const content = yield* contentOf(blob)
    const isStream = content instanceof Readable
    const { contentType, disposition } = rawType(isStream ? yield* peek(content) : content, blob.size)
    const length = isStream ? { "content-length": String(blob.size) } : {}
    const headers = { ...rawHeaders, "content-disposition": disposition, ...length }
    return { body: new RawBody(contentType, content), headers }
  })
)
