import { field } from "#test/support/exactly.ts"
import type { TestService } from "#test/support/service.ts"
import { makers, type Writes } from "./Write.ts"

/** Of merge requests. */
export const mergeRequestWrites = (service: TestService, run: number): Writes => {
  const { newProject } = makers(service, run)
  /** A project with a commit on `main` and another one on `topic`; answers the path of its merge requests. */
  const project = async (name: string, configuration = "a") => {
    const id = await newProject(name)
    const commit = (branch: string, file_path: string, more: object = {}) =>
      service.request("POST", `/projects/${id}/repository/commits`, {
        json: { branch, commit_message: "Add", actions: [{ action: "create", file_path, content: configuration }], ...more }
      })
    await commit("main", "a")
    await commit("topic", ".gitlab-ci.yml", { start_branch: "main" })
    return `/projects/${id}/merge_requests`
  }
  const complete = { title: "Add b", source_branch: "topic", target_branch: "main" }
  /** An open merge request; answers its path. */
  const opened = async (name: string, configuration?: string) => {
    const path = await project(name, configuration)
    const { body } = await service.request("POST", path, { json: complete })
    return `${path}/${field(body, "iid")}`
  }
  const isGone = (path: string) => async () => (await service.request("GET", path)).status === 404
  const timed =
    (name: string, deed: string, json: object = {}) =>
    async () => ({
      path: `${await opened(name)}/${deed}`,
      sent: { json }
    })
  return {
    "mergeRequests.create": async () => {
      const path = await project("opening")
      const works = async () => {
        const { body } = await service.request("GET", path)
        return Array.isArray(body) && body.length === 1
      }
      return { path, sent: { json: complete }, works }
    },
    "mergeRequests.change": async () => ({
      path: await opened("changing-requests"),
      sent: { json: { title: "Add more", state_event: "close" } }
    }),
    "mergeRequests.merge": async () => {
      const path = await opened("merging")
      const works = async () => field((await service.request("GET", path)).body, "state") === "merged"
      return { path: `${path}/merge`, works }
    },
    "mergeRequests.createPipeline": async () => {
      const path = `${await opened("reviewing", "review: { script: make, only: [merge_requests] }")}/pipelines`
      const works = async () => {
        const { body } = await service.request("GET", path)
        return Array.isArray(body) && body.length === 1
      }
      return { path, works }
    },
    "mergeRequests.estimateTime": timed("estimating", "time_estimate", { duration: "1h" }),
    "mergeRequests.resetTimeEstimate": timed("estimating-anew", "reset_time_estimate"),
    "mergeRequests.addSpentTime": timed("spending", "add_spent_time", { duration: "1h" }),
    "mergeRequests.resetSpentTime": timed("spending-nothing", "reset_spent_time"),
    "mergeRequests.delete": async () => {
      const path = await opened("forgetting-requests")
      return { path, works: isGone(path) }
    }
  }
}
