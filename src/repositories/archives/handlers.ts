import { Effect } from "effect"
import { Archives } from "../../git/archive/Archives.ts"
import { archiveContentType, archiveFormat, archiveName } from "../../git/archive/names.ts"
import { Repositories } from "../../git/Repositories.ts"
import { attachment } from "../../http/answer/contentDisposition.ts"
import { thingNotFound, WireError } from "../../http/answer/errors.ts"
import { RawBody } from "../../http/answer/Reply.ts"
import { guardedRoute, type Input } from "../../http/Endpoint.ts"
import { defined } from "../../kernel/defined.ts"
import type { ReadableProject } from "../../projects/Projects.ts"
import { requireCode } from "../access.ts"
import { downloadArchive, downloadArchiveAs } from "../contract.ts"
import { DownloadLimits } from "../DownloadLimits.ts"
import { commitOrDefault } from "../revision.ts"
import { isHotlink } from "./hotlink.ts"

type ArchiveInput = Input<typeof downloadArchive.parameters, "anyone"> & { readonly guarded: ReadableProject }

const noFile = thingNotFound("File")
const notAcceptable = new WireError({ status: 406, body: { message: "406 Not Acceptable" } })

const download = Effect.fnUntraced(function* ({ caller, guarded: { project }, parameters, request }: ArchiveInput) {
  yield* DownloadLimits.use((limits) => limits.archive(caller, project.id))
  if (isHotlink(request)) return yield* notAcceptable
  const path = parameters.path ?? undefined
  const exclude = parameters.exclude_paths ?? []
  const { commit, ref } = (yield* commitOrDefault(project, parameters.sha)) ?? (yield* noFile)
  // An unknown format is the default one, as in the reference.
  const format = archiveFormat(parameters.format ?? "") ?? "tar.gz"
  const top = archiveName(defined({ project: project.path, ref, commit, path }))
  const repository = (yield* Repositories).of(project.id)
  const archives = yield* Archives
  const content = yield* Effect.catchTag(
    archives.open(repository, { commit, format, top, path: path ?? "", exclude }),
    "GitFailed",
    (failure) => (failure.status === null ? Effect.die(failure) : Effect.fail(noFile))
  )
  const body = new RawBody(archiveContentType(format), content)
  return {
    body,
    headers: {
      "content-disposition": attachment(`${top}.${format}`),
      "content-transfer-encoding": "binary",
      "cache-control": "private"
    }
  }
})

export const archiveRoutes = [
  guardedRoute(downloadArchive, requireCode, download),
  guardedRoute(downloadArchiveAs, requireCode, download)
]
