import { Schema } from "effect"
import { integer, text, time } from "../http/answer/fields.ts"
import { projectId } from "../http/answer/references.ts"
import { endpoint } from "../http/Endpoint.ts"
import { sentTypes } from "./names.ts"

const area = "uploads"
const uploads = "/projects/:id/uploads" as const
const byId = `${uploads}/:upload_id` as const
const byName = `${uploads}/:secret/:filename` as const

const Uploaded = Schema.Struct({
  id: integer("ID of the upload."),
  alt: text("What stands for the file in texts: its name, without the ending for images, videos and sounds."),
  url: text("Where the file is, below the address of the project."),
  full_path: text("Where the file is, below the address of the service."),
  markdown: text("Markdown that shows the file, or leads to it.")
}).annotate({ identifier: "Uploaded" })

const Uploader = Schema.Struct({
  id: integer("ID of the user."),
  name: text("Full name."),
  username: text("User name.")
})

const Upload = Schema.Struct({
  id: integer("ID of the upload."),
  size: integer("Bytes of the file."),
  filename: text("Name of the file."),
  created_at: time("When it was uploaded."),
  uploaded_by: Schema.NullOr(Uploader).annotate({ description: "Who uploaded it; null when that user is deleted." })
}).annotate({ identifier: "Upload" })

const uploadId = { kind: "integer", required: true, description: "ID of the upload.", example: 1 } as const
const secret = {
  kind: "string",
  required: true,
  description: "The folder of the file, as the upload told it.",
  example: "66dbcd21ec5d24ed6ea225176098d52b"
} as const
const filename = { kind: "string", required: true, description: "Name of the file.", example: "dk.png" } as const

const notMaintainer = { 403: "The caller is no Maintainer." }
const cannotRemove = { 403: "The caller is no Maintainer, or the project is archived." }

const file = {
  success: {
    status: 200,
    raw: sentTypes,
    description: "The file. Only images, videos, sounds and PDF are shown where they are."
  },
  otherSuccesses: [{ status: 206, raw: sentTypes, description: "The part of the file that `Range` asks for." }],
  refusals: { 416: "The file has none of the bytes that `Range` asks for." }
} as const

export const uploadFile = endpoint({
  name: "uploads.add",
  area,
  method: "POST",
  path: uploads,
  summary: "Upload a file to a project",
  description:
    "The body is a multipart form whose part `file` is the file, of up to 100 MiB unless the installation says otherwise. Whoever may comment in the project may.",
  access: "user",
  takesFile: { part: "file" },
  parameters: { id: projectId },
  success: { status: 201, body: Uploaded },
  refusals: {
    400: "The form cannot be read, or has no part `file`, or several.",
    403: "The caller may not, or the project is archived."
  }
})

export const listUploads = endpoint({
  name: "uploads.list",
  area,
  method: "GET",
  path: uploads,
  summary: "List the uploads of a project",
  description: "The newest first. Maintainers may.",
  access: "anyone",
  parameters: { id: projectId },
  paginated: true,
  success: { status: 200, body: Schema.Array(Upload) },
  refusals: notMaintainer
})

export const readUpload = endpoint({
  name: "uploads.read",
  area,
  method: "GET",
  path: byId,
  summary: "Download an upload by its ID",
  description: "Maintainers may.",
  access: "anyone",
  parameters: { id: projectId, upload_id: uploadId },
  ...file,
  refusals: { ...file.refusals, ...notMaintainer }
})

export const readNamedUpload = endpoint({
  name: "uploads.readNamed",
  area,
  method: "GET",
  path: byName,
  keepsFormat: true,
  summary: "Download an upload by its secret and name",
  description: "Whoever may read the project may. It is also at `full_path` of the upload, and at `url` below the project.",
  access: "anyone",
  parameters: { id: projectId, secret, filename },
  ...file
})

export const removeUploadById = endpoint({
  name: "uploads.remove",
  area,
  method: "DELETE",
  path: byId,
  summary: "Remove an upload by its ID",
  description: "Maintainers may.",
  access: "user",
  parameters: { id: projectId, upload_id: uploadId },
  success: { status: 204 },
  refusals: cannotRemove
})

export const removeNamedUpload = endpoint({
  name: "uploads.removeNamed",
  area,
  method: "DELETE",
  path: byName,
  keepsFormat: true,
  summary: "Remove an upload by its secret and name",
  description: "Maintainers may.",
  access: "user",
  parameters: { id: projectId, secret, filename },
  success: { status: 204 },
  refusals: cannotRemove
})
