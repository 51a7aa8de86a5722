import { Schema } from "effect"
import { projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { area, mayNot } from "../contractParts.ts"
import { BlamedLines, FileShape, WrittenFile } from "./shapes.ts"

const readScopes = ["read_repository"]
const file_path = {
  kind: "string",
  required: true,
  description: "Path of the file, percent-encoded.",
  example: "example.txt"
} as const
const ref = { kind: "string", required: true, allowBlank: false, description: "Branch, tag or commit.", example: "main" } as const
const noFile = { 400: "Not a path of a file.", 404: "No such revision or file." }
const file = "/projects/:id/repository/files/:file_path" as const

export const readFile = endpoint({
  name: "repositories.readFile",
  area,
  method: "GET",
  path: file,
  keepsFormat: true,
  summary: "Read a file with what is known of it",
  description: "Headers tell everything but the content, so that HEAD suffices for it.",
  access: "anyone",
  readScopes,
  parameters: { id: projectId, file_path, ref },
  success: { status: 200, body: FileShape, mayStream: true },
  refusals: { ...mayNot, ...noFile }
})

export const readRawFile = endpoint({
  name: "repositories.rawFile",
  area,
  method: "GET",
  path: `${file}/raw`,
  summary: "Read the bytes of a file",
  access: "anyone",
  readScopes,
  parameters: {
    id: projectId,
    file_path,
    ref: { kind: "string", allowBlank: false, description: "Branch, tag or commit; default: the default branch." },
    lfs: { kind: "boolean", default: false, description: "Has no effect: there is no storage of large files beside git." }
  },
  success: { status: 200, raw: ["text/plain"], description: "The bytes." },
  refusals: { ...mayNot, ...noFile }
})

export const blameFile = endpoint({
  name: "repositories.blameFile",
  area,
  method: "GET",
  path: `${file}/blame`,
  summary: "Tell which commits the lines of a file come from",
  access: "anyone",
  readScopes,
  parameters: {
    id: projectId,
    file_path,
    ref,
    range: {
      kind: "hash",
      description: "Only these lines.",
      fields: {
        start: { kind: "integer", required: true, allowBlank: false, description: "Number of the first line, from 1." },
        end: { kind: "integer", required: true, allowBlank: false, description: "Number of the last line." }
      }
    }
  },
  success: { status: 200, body: Schema.Array(BlamedLines) },
  refusals: { ...mayNot, ...noFile, 422: "The file has too many lines to answer all at once, some hundred thousand." }
})

const writing = {
  id: projectId,
  file_path,
  branch: { kind: "string", required: true, allowBlank: false, description: "The branch that gets the commit.", example: "main" },
  commit_message: {
    kind: "string",
    required: true,
    allowBlank: false,
    description: "Message of the commit.",
    example: "Change example.txt"
  },
  start_branch: { kind: "string", description: "The branch to begin a new branch at." },
  author_email: { kind: "string", description: "Email address of the author. Default: that of the caller." },
  author_name: { kind: "string", description: "Name of the author. Default: that of the caller." }
} as const
const content = {
  content: { kind: "string", required: true, description: "The whole content of the file.", example: "hello\n" },
  encoding: { kind: "string", values: ["base64", "text"], default: "text", description: "How `content` is sent." },
  execute_filemode: { kind: "boolean", description: "Whether the file is executable. Default: as it was; false for a new file." }
} as const
const last_commit_id = {
  kind: "string",
  description: "The last commit of the file that the caller knows; refused when there is a later one."
} as const
const notWritten = { ...mayNot, 400: "The file is there, or is not, or has changed." }

export const createFile = endpoint({
  name: "repositories.createFile",
  area,
  method: "POST",
  path: file,
  keepsFormat: true,
  summary: "Create a file",
  access: "user",
  readScopes,
  takesContent: true,
  parameters: { ...writing, ...content },
  success: { status: 201, body: WrittenFile },
  refusals: notWritten
})

export const updateFile = endpoint({
  name: "repositories.updateFile",
  area,
  method: "PUT",
  path: file,
  keepsFormat: true,
  summary: "Change a file",
  access: "user",
  readScopes,
  takesContent: true,
  parameters: { ...writing, ...content, last_commit_id },
  success: { status: 200, body: WrittenFile },
  refusals: notWritten
})

export const deleteFile = endpoint({
  name: "repositories.deleteFile",
  area,
  method: "DELETE",
  path: file,
  keepsFormat: true,
  summary: "Delete a file",
  access: "user",
  readScopes,
  parameters: { ...writing, last_commit_id },
  success: { status: 204 },
  refusals: notWritten
})
