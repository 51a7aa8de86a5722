import { readFileSync } from "node:fs"
import { projectCodec } from "#src/projects/events.ts"
import { projectIdOf } from "#src/projects/ids.ts"
import { UploadEvent, uploadCodec } from "#src/uploads/events.ts"
import { uploadIdOf } from "#src/uploads/ids.ts"
import { type Change, idTaken, on, put, type ReadModel, remove, removeWhere } from "../ReadModel.ts"

const uploads = "uploads"

const changes = (id: number, event: UploadEvent, at: number): ReadonlyArray<Change> =>
  UploadEvent.match(event, {
    UploadAdded: ({ by, bytes, name, projectId, secret, sha256 }) => [
      idTaken("upload", id),
      put(uploads, { id, project_id: projectId, secret, name, bytes, sha256, user_id: by, created_at: at })
    ],
    UploadRemoved: () => [remove(uploads, { id })]
  })

/** Files that were uploaded to projects. */
export const uploadsReadModel: ReadModel = {
  name: "uploads",
  version: 1,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [uploads]: ["id"] },
  projections: [
    on(uploadCodec, (event, { at, stream }) => {
      const id = uploadIdOf(stream)
      return id === undefined ? [] : changes(id, event, at)
    }),
    on(projectCodec, (event, { stream }) => {
      const projectId = projectIdOf(stream)
      if (event._tag !== "ProjectDeleted" || projectId === undefined) return []
      return [removeWhere(uploads, { project_id: projectId })]
    })
  ]
}
