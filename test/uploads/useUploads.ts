import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { expect } from "vitest"
import { UploadStorage } from "#src/uploads/files/UploadStorage.ts"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { answerOf, rootToken, type Sent, useService } from "#test/support/service.ts"
import { secretOf } from "./addUpload.ts"

/** What an upload is answered with. */
export interface Uploaded {
  readonly id: number
  readonly alt: string
  readonly url: string
  readonly full_path: string
  readonly markdown: string
}

/** A running service with projects that files are uploaded to. */
export const useUploads = (env: Readonly<Record<string, string>> = {}) => {
  const service = useService(env)
  const { request } = service
  const newProject = async (name: string, settings: object = {}): Promise<number> =>
    Number(field((await request("POST", "/projects", { json: { name, ...settings } })).body, "id"))
  const path = (id: unknown, more = "") => `/projects/${id}/uploads${more}`
  const upload = (id: unknown, file: File, sent: Sent = {}) => request("POST", path(id), { multipart: { file }, ...sent })
  const dataDir = () =>
    service
      .run(UploadStorage.use(({ pathOf }) => Effect.succeed(pathOf({ projectId: 0, secret: secretOf(0), name: "" }))))
      .then((file) => join(file, "../../.."))
  const namesIn = async (folder: string) => (await readdir(join(await dataDir(), folder)).catch(() => [])).toSorted()
  return {
    service,
    newProject,
    path,
    upload,
    /** Uploads a file, which has to succeed. */
    uploaded: async (id: unknown, name: string, content: string | Uint8Array<ArrayBuffer> = "content"): Promise<Uploaded> => {
      const { body, status } = await upload(id, new File([content], name))
      expect([status, body]).toEqual([201, expect.anything()])
      return body as Uploaded
    },
    ask: async (method: string, at: string, sent: Sent = {}) => answerOf(await request(method, at, sent)),
    person: async (name: string) => {
      const id = await createUser(service, name)
      return { id, token: (await issueTokenFor(service, id)).text }
    },
    /** The names of the folders of a project's files. */
    secretsOf: (id: number) => namesIn(`uploads/${id}`),
    /** What is on its way, and marks of what was. */
    drafts: async () => (await namesIn("tmp")).filter((name) => name.startsWith("upload-")),
    dataDir,
    /** A file as it is sent to who asks for it at the address of the service. */
    fetched: async (at: string, headers: Readonly<Record<string, string>> = {}, method = "GET") => {
      const response = await fetch(`${service.url}${at}`, { method, headers: { "private-token": rootToken, ...headers } })
      return { status: response.status, headers: response.headers, text: await response.text() }
    }
  }
}

export type Uploads = ReturnType<typeof useUploads>
