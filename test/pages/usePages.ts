import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { Effect } from "effect"
import { expect } from "vitest"
import { SiteStorage } from "#src/pages/sites/SiteStorage.ts"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { answerOf, type Sent, useService } from "#test/support/service.ts"
import { entriesOf, zipOf } from "./archives.ts"

/** A service with projects that have pages. */
export const usePages = (env: Readonly<Record<string, string>> = {}) => {
  const service = useService(env)
  const { request } = service

  const newProject = async (name: string, settings: object = {}): Promise<number> => {
    const json = { name, visibility: "public", pages_access_level: "public", ...settings }
    return Number(field((await request("POST", "/projects", { json })).body, "id"))
  }
  /** The token of a new user, who is a member with this access level, unless that is 0. */
  const person = async (projectId: number, name: string, access_level: number): Promise<string> => {
    const user_id = await createUser(service, name)
    if (access_level > 0) await request("POST", `/projects/${projectId}/members`, { json: { user_id, access_level } })
    return (await issueTokenFor(service, user_id)).text
  }
  const path = (id: number, more = "") => `/projects/${id}/pages${more}`
  const ask = async (method: string, id: number, sent: Sent = {}) => answerOf(await request(method, path(id), sent))
  const upload = (id: number, file: Uint8Array<ArrayBuffer>, sent: Sent = {}) =>
    request("POST", path(id, "/deployments"), { file, ...sent })
  /** Publishes files; answers the address of what is published. */
  const publish = async (id: number, files: Readonly<Record<string, string>>, query: Record<string, string> = {}) => {
    const { body, status } = await upload(id, zipOf(entriesOf(files)), { query })
    expect([status, body]).toEqual([201, expect.anything()])
    return String(field(body, "url"))
  }
  /** The sites of a project whose files are there. */
  const sitesOf = async (projectId: number): Promise<ReadonlyArray<string>> => {
    const folder = await service.run(SiteStorage.use(({ folderOf }) => Effect.succeed(folderOf(projectId, ""))))
    return existsSync(folder) ? readdir(folder) : []
  }
  return { service, newProject, person, path, ask, upload, publish, sitesOf }
}

/** What is compared of a page. */
export const pageOf = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, { redirect: "manual", ...init })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
