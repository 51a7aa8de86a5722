import { expect } from "vitest"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { levels, type Somebody } from "#test/support/people/everybody.ts"
import { type Interceptors, type Received, type Sent, useService } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"

/** A person with a token and an id. */
export interface Person {
  readonly id: number
  readonly token: string
}

type Files = Readonly<Record<string, string>>

/** A running service, with projects that have a branch to be merged. */
export const useMergeRequests = (env: Readonly<Record<string, string>> = {}, interceptors?: Interceptors) => {
  const service = useService(env, interceptors)
  const { request } = service
  const pathOf = (projectId: unknown, iid?: unknown, more = "") =>
    `/projects/${projectId}/merge_requests${iid === undefined ? "" : `/${iid}`}${more}`
  const person = async (username: string): Promise<Person> => {
    const id = await createUser(service, username)
    return { id, token: (await issueTokenFor(service, id)).text }
  }
  /** A commit on a branch, which begins at `main` where it is new: its id. */
  const commit = async (projectId: number, branch: string, files: Files, sent: Sent = {}): Promise<string> => {
    const actions = Object.entries(files).map(([file_path, content]) => ({ action: "create", file_path, content }))
    const start = branch === "main" ? {} : { start_branch: "main" }
    const json = { branch, commit_message: `Change ${branch}`, actions, ...start }
    const answer = await request("POST", `/projects/${projectId}/repository/commits`, { json, ...sent })
    return String(field(answer.body, "id") ?? expect.unreachable(JSON.stringify(answer.body)))
  }
  return {
    service,
    pathOf,
    person,
    commit,
    /** A project with a commit on `main` and another one on `topic`: its id. */
    newProject: async (name: string, settings: object = {}): Promise<number> => {
      const { body } = await request("POST", "/projects", { json: { name, ...settings } })
      const id = Number(field(body, "id") ?? expect.unreachable(JSON.stringify(body)))
      await commit(id, "main", { "README.md": "# A\n" })
      await commit(id, "topic", { "topic.txt": "topic\n" })
      return id
    },
    /** A fork of a project, when it is there: its id. */
    fork: async (projectId: number, path: string): Promise<number> => {
      const { body } = await request("POST", `/projects/${projectId}/fork`, { json: { name: path, path } })
      const id = Number(field(body, "id") ?? expect.unreachable(JSON.stringify(body)))
      await until(async () => field((await request("GET", `/projects/${id}`)).body, "import_status") === "finished")
      return id
    },
    /** A new user who is a member of the project. */
    member: async (projectId: number, role: Somebody, username: string): Promise<Person> => {
      const made = await person(username)
      const json = { user_id: made.id, access_level: levels[role] }
      await request("POST", `/projects/${projectId}/members`, { json })
      return made
    },
    open: (projectId: unknown, json: object = {}, sent: Sent = {}): Promise<Received> =>
      request("POST", pathOf(projectId), {
        json: { title: "Add a topic", source_branch: "topic", target_branch: "main", ...json },
        ...sent
      }),
    get: (projectId: unknown, iid?: unknown, sent: Sent = {}): Promise<Received> => request("GET", pathOf(projectId, iid), sent),
    put: (projectId: unknown, iid: unknown, json: object, sent: Sent = {}): Promise<Received> =>
      request("PUT", pathOf(projectId, iid), { json, ...sent }),
    remove: (projectId: unknown, iid: unknown, sent: Sent = {}): Promise<Received> =>
      request("DELETE", pathOf(projectId, iid), sent)
  }
}

export const iidOf = ({ body }: Received): number => Number(field(body, "iid"))
