import { field } from "#test/support/exactly.ts"
import type { TestService } from "#test/support/service.ts"
import { idOf, makers, type Writes } from "./Write.ts"

/** Of environments and deployments. */
export const deploymentWrites = (service: TestService, run: number): Writes => {
  const { isShown, newProject } = makers(service, run)
  /** The deployments of a project with a commit, and what tells of one that runs. */
  const deploying = async (name: string) => {
    const id = await newProject(name)
    const actions = [{ action: "create", file_path: "a", content: "a" }]
    const { body } = await service.request("POST", `/projects/${id}/repository/commits`, {
      json: { branch: "main", commit_message: "Add", actions }
    })
    const json = { environment: "production", sha: field(body, "id"), ref: "main", tag: false, status: "running" }
    return { path: `/projects/${id}/deployments`, json }
  }
  /** An environment of a new project, by its path, stopped or not. */
  const environment = async (name: string, isStopped = false) => {
    const path = `/projects/${await newProject(name)}/environments`
    const one = `${path}/${idOf(await service.request("POST", path, { json: { name: "staging" } }))}`
    if (isStopped) await service.request("POST", `${one}/stop`)
    const told = async (key: string) => field((await service.request("GET", one)).body, key)
    return { one, told }
  }
  return {
    "deployments.createEnvironment": async () => {
      const path = `/projects/${await newProject("environment")}/environments`
      return { path, sent: { json: { name: "staging" } }, works: isShown(path) }
    },
    "deployments.changeEnvironment": async () => {
      const { one, told } = await environment("changed-environment")
      return { path: one, sent: { json: { tier: "other" } }, works: async () => (await told("tier")) === "other" }
    },
    "deployments.stopEnvironment": async () => {
      const { one, told } = await environment("stopped-environment")
      return { path: `${one}/stop`, works: async () => (await told("state")) === "stopped" }
    },
    "deployments.deleteEnvironment": async () => {
      const { one } = await environment("deleted-environment", true)
      return { path: one, works: async () => (await service.request("GET", one)).status === 404 }
    },
    "deployments.create": async () => {
      const { json, path } = await deploying("deploying")
      return { path, sent: { json }, works: isShown(path) }
    },
    "deployments.change": async () => {
      const { json, path } = await deploying("deployed")
      const one = `${path}/${idOf(await service.request("POST", path, { json }))}`
      const works = async () => field((await service.request("GET", one)).body, "status") === "success"
      return { path: one, sent: { json: { status: "success" } }, works }
    }
  }
}
