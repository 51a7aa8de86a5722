import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import type { TestService } from "#test/support/service.ts"
import { idOf, makers, type Writes } from "./Write.ts"

/** Of pipeline schedules. */
export const scheduleWrites = (service: TestService, run: number): Writes => {
  const { named, newProject } = makers(service, run)
  const project = async (name: string) => {
    const id = await newProject(name)
    const json = { branch: "main", commit_message: "First", content: "job:\n  script: make\n" }
    await service.request("POST", `/projects/${id}/repository/files/.gitlab-ci.yml`, { json })
    return `/projects/${id}/pipeline_schedules`
  }
  const complete = { description: "d", ref: "main", cron: "0 1 * * *" }
  /** A schedule with a variable; answers its path. */
  const schedule = async (name: string, token?: string) => {
    const path = await project(name)
    const sent = { json: complete, token }
    const made = `${path}/${idOf(await service.request("POST", path, sent))}`
    await service.request("POST", `${made}/variables`, { json: { key: "KEY", value: "v" } })
    return made
  }
  const variable = async (name: string) => `${await schedule(name)}/variables/KEY`
  const isGone = (path: string) => async () => (await service.request("GET", path)).status === 404
  return {
    "pipelineSchedules.create": async () => {
      const path = await project("scheduling")
      const works = async () => {
        const { body } = await service.request("GET", path)
        return Array.isArray(body) && body.length === 1
      }
      return { path, sent: { json: complete }, works }
    },
    "pipelineSchedules.change": async () => ({ path: await schedule("rescheduling"), sent: { json: { cron: "0 2 * * *" } } }),
    "pipelineSchedules.takeOwnership": async () => {
      const path = await schedule("taking-over")
      const id = await createUser(service, named("taker"), { admin: true })
      const { text: token } = await issueTokenFor(service, id)
      const works = async () => field(field((await service.request("GET", path)).body, "owner"), "id") === id
      return { path: `${path}/take_ownership`, sent: { token }, works }
    },
    "pipelineSchedules.play": async () => {
      const path = await schedule("playing-schedules")
      const works = async () => {
        const { body } = await service.request("GET", `${path}/pipelines`)
        return Array.isArray(body) && body.length === 1
      }
      return { path: `${path}/play`, works }
    },
    "pipelineSchedules.addVariable": async () => ({
      path: `${await schedule("adding-variables")}/variables`,
      sent: { json: { key: "OTHER", value: "w", variable_type: "file" } }
    }),
    "pipelineSchedules.changeVariable": async () => ({
      path: await variable("changing-variables"),
      sent: { json: { value: "w" } }
    }),
    "pipelineSchedules.removeVariable": async () => {
      const path = await variable("removing-variables")
      return { path, works: isGone(path) }
    },
    "pipelineSchedules.delete": async () => {
      const path = await schedule("forgetting-schedules")
      return { path, works: isGone(path) }
    }
  }
}
