import { Effect } from "effect"
import { DiskFull } from "../git/process/SpoolFile.ts"
import { serviceUnavailable } from "../http/answer/errors.ts"
import { pageOf } from "../http/answer/pagination.ts"
import { noContent, ok, page } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { route } from "../http/Endpoint.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { receiveFile } from "../http/request/receiveFile.ts"
import { TakenBytes } from "../platform/work/ByteBudget.ts"
import { CurrentWork } from "../platform/work/CurrentWork.ts"
import { requireProject } from "../projects/Projects.ts"
import { listUploads, readNamedUpload, readUpload, removeNamedUpload, removeUploadById, uploadFile } from "./contract.ts"
import { download, uploadNotFound } from "./download.ts"
import { type Draft, UploadStorage } from "./files/UploadStorage.ts"
import { presentUpload, presentUploaded } from "./present.ts"
import { type UploadKey, UploadQueries } from "./Queries.ts"
import { UploadLimits } from "./UploadLimits.ts"
import { addUpload, removeUpload } from "./writes.ts"

const requireUpload = Effect.fnUntraced(function* (projectId: number, key: UploadKey) {
  return (yield* UploadQueries.use((uploads) => uploads.find(projectId, key))) ?? (yield* uploadNotFound)
})

const diskIsFull = serviceUnavailable("503 Service Unavailable - there is no space left on the disk", 10)

const orDiskIsFull = (cause: unknown) => Promise.reject(cause instanceof DiskFull ? diskIsFull : cause)

/** Takes the file of a request, and answers its name as it was sent. */
const receive = Effect.fnUntraced(function* (draft: Draft, request: RequestInfo) {
  const [{ arriving, idleMillis, maxBytes }, { caller }] = [yield* UploadLimits, yield* CurrentWork]
  const disk = yield* Effect.acquireRelease(
    Effect.sync(() => new TakenBytes(arriving, caller, 0)),
    (taken) => Effect.sync(() => taken.release())
  )
  const take = (piece: Uint8Array) => draft.append(piece).catch(orDiskIsFull)
  return yield* receiveFile(request, { part: "file", limit: maxBytes, disk, idleMillis, take })
}, Effect.scoped)

const post = route(
  uploadFile,
  Effect.fnUntraced(function* (input) {
    const { caller, request } = input
    const { project } = yield* requireProject(input, "upload_file")
    // The right may be lost while the file comes.
    const received = (draft: Draft) => Effect.tap(receive(draft, request), requireProject(input, "upload_file"))
    const added = yield* addUpload({ projectId: project.id, by: caller.user.id }, received)
    yield* awaitReadModels(added)
    return ok(presentUploaded(project.id, yield* requireUpload(project.id, { id: added.id })))
  })
)

const list = route(
  listUploads,
  Effect.fnUntraced(function* (input) {
    const { project } = yield* requireProject(input, "read_uploads")
    const { extent, rows } = yield* UploadQueries.use((uploads) => uploads.list(project.id, pageOf(input.parameters)))
    return page(rows.map(presentUpload), extent)
  })
)

const sendFile = Effect.fnUntraced(function* (projectId: number, key: UploadKey, { headers }: RequestInfo) {
  const { name, secret, sha256 } = yield* requireUpload(projectId, key)
  const path = (yield* UploadStorage).pathOf({ projectId, secret, name })
  return yield* download({ name, path, sha256 }, headers)
})

const keyOfId = (id: number | null): UploadKey => ({ id: id ?? 0 })

const read = route(
  readUpload,
  Effect.fnUntraced(function* (input) {
    const { project } = yield* requireProject(input, "read_uploads")
    return yield* sendFile(project.id, keyOfId(input.parameters.upload_id), input.request)
  })
)

const keyOfName = ({ filename, secret }: { readonly secret: string | null; readonly filename: string | null }): UploadKey => ({
  secret: secret ?? "",
  name: filename ?? ""
})

const readNamed = route(
  readNamedUpload,
  Effect.fnUntraced(function* (input) {
    const { project } = yield* requireProject(input, "read_project")
    return yield* sendFile(project.id, keyOfName(input.parameters), input.request)
  })
)

type RemovalInput = Parameters<typeof requireProject>[0] & { readonly caller: { readonly user: { readonly id: number } } }

const removeFound = Effect.fnUntraced(function* (input: RemovalInput, key: UploadKey) {
  const found = Effect.flatMap(requireProject(input, "remove_uploads"), ({ project }) => requireUpload(project.id, key))
  yield* awaitReadModels(yield* removeUpload(input.caller.user.id, found))
  return noContent
})

const remove = route(removeUploadById, (input) => removeFound(input, keyOfId(input.parameters.upload_id)))
const removeNamed = route(removeNamedUpload, (input) => removeFound(input, keyOfName(input.parameters)))

export const uploadRoutes = [post, list, read, readNamed, remove, removeNamed]
