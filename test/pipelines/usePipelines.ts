import { field } from "#test/support/exactly.ts"
import { type Received, type Sent, useService } from "#test/support/service.ts"

/** A running service, with projects that have commits on `main`. */
export const usePipelines = (env: Readonly<Record<string, string>> = {}) => {
  const service = useService(env)
  const { request } = service
  const commit = async (projectId: unknown, file: string, branch = "main"): Promise<string> => {
    const json = { branch, commit_message: file, actions: [{ action: "create", file_path: file, content: "" }] }
    return String(field((await request("POST", `/projects/${projectId}/repository/commits`, { json })).body, "id"))
  }
  return {
    service,
    commit,
    /** A project whose `main` has one commit: their ids. */
    newProject: async (name: string, settings: object = {}) => {
      const { body } = await request("POST", "/projects", { json: { name, ...settings } })
      const id = field(body, "id")
      return { id, sha: await commit(id, "first") }
    },
    post: (projectId: unknown, sha: string, json: object, sent: Sent = {}): Promise<Received> =>
      request("POST", `/projects/${projectId}/statuses/${sha}`, { json, ...sent })
  }
}
