import { field } from "#test/support/exactly.ts"
import type { TestService } from "#test/support/service.ts"
import { makers, type Writes } from "./Write.ts"

/** Of pipelines. */
export const pipelineWrites = (service: TestService): Writes => {
  const { newProject } = makers(service)
  const project = async (name: string) => {
    const id = await newProject(name)
    const json = { branch: "main", commit_message: "First", content: "a\n" }
    await service.request("POST", `/projects/${id}/repository/files/a`, { json })
    return id
  }
  const posted = (id: number, json: object) => service.request("POST", `/projects/${id}/statuses/main`, { json })
  /** A pipeline with a status that waits; answers its path. */
  const pipeline = async (name: string) => {
    const id = await project(name)
    const { body } = await posted(id, { state: "pending" })
    return `/projects/${id}/pipelines/${field(body, "pipeline_id")}`
  }
  const hasStatuses = (id: number, count: number) => async () => {
    const { body } = await service.request("GET", `/projects/${id}/repository/commits/main/statuses?all=true`)
    return Array.isArray(body) && body.length === count
  }
  return {
    "pipelines.postCommitStatus": async () => {
      const id = await project("telling")
      return { path: `/projects/${id}/statuses/main`, sent: { json: { state: "success" } }, works: hasStatuses(id, 1) }
    },
    "pipelines.rename": async () => ({
      path: `${await pipeline("naming-pipelines")}/metadata`,
      sent: { json: { name: "nightly" } }
    }),
    "pipelines.cancel": async () => ({ path: `${await pipeline("canceling")}/cancel` }),
    "pipelines.delete": async () => ({ path: await pipeline("forgetting") })
  }
}
