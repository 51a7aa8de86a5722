import { expect } from "vitest"
import { anyTime, field } from "#test/support/exactly.ts"
import type { Received, TestService } from "#test/support/service.ts"
import { makers, type Writes } from "./Write.ts"

/** Of pipelines. */
export const pipelineWrites = (service: TestService, run: number): Writes => {
  const { newProject } = makers(service, run)
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
  const configuration = "ask:\n  script: make\n  when: manual\nrun:\n  script: make\n"
  /** A pipeline of a configuration: its path, and the paths of its jobs. */
  const configured = async (name: string) => {
    const id = await project(name)
    const json = { branch: "topic", start_branch: "main", commit_message: "CI [skip ci]", content: configuration }
    await service.request("POST", `/projects/${id}/repository/files/.gitlab-ci.yml`, { json })
    const { body } = await service.request("POST", `/projects/${id}/pipeline`, { json: { ref: "topic" } })
    const path = `/projects/${id}/pipelines/${field(body, "id")}`
    const { body: listed } = await service.request("GET", `${path}/jobs`)
    const jobs = new Map((Array.isArray(listed) ? listed : []).map((job) => [field(job, "name"), field(job, "id")]))
    const pathOf = (job: string) => `/projects/${id}/jobs/${jobs.get(job)}`
    return { id, path, ask: pathOf("ask"), run: pathOf("run") }
  }
  /** A job that an executor runs. */
  const claimed = async (name: string) => {
    const { id } = await configured(name)
    const { body } = await service.request("POST", `/projects/${id}/jobs/claim`, { json: { executor: "one" } })
    return { id, claim: field(body, "claim"), path: `/projects/${id}/jobs/${field(field(body, "job"), "id")}` }
  }
  /** The same job, which has waited longer. */
  const later = ({ body, status }: Received) => [status, { ...Object(body), queued_duration: expect.any(Number) }] as const
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
    "pipelines.create": async () => {
      const { id } = await configured("making-pipelines")
      return { path: `/projects/${id}/pipeline`, sent: { json: { ref: "topic", variables: [{ key: "A", value: "b" }] } } }
    },
    "pipelines.retry": async () => {
      const { path } = await configured("again")
      await service.request("POST", `${path}/cancel`)
      return { path: `${path}/retry` }
    },
    "jobs.play": async () => ({ path: `${(await configured("playing")).ask}/play`, repeated: later }),
    "jobs.cancel": async () => ({ path: `${(await configured("stopping")).run}/cancel` }),
    "jobs.retry": async () => {
      const { run } = await configured("repeating")
      await service.request("POST", `${run}/cancel`)
      return { path: `${run}/retry`, repeated: later }
    },
    "jobs.claim": async () => ({
      path: `/projects/${(await configured("claiming")).id}/jobs/claim`,
      sent: { json: { executor: "one" } },
      // The same run, of which nobody knows whether the executor heard.
      repeated: ({ body, status }) => {
        const job = { ...Object(field(body, "job")), duration: expect.any(Number) }
        return [status, { ...Object(body), job, lease_expires_at: anyTime }]
      }
    }),
    "jobs.heartbeat": async () => {
      const { claim, path } = await claimed("beating")
      return {
        path: `${path}/heartbeat`,
        sent: { json: { claim } },
        repeated: ({ status }) => [status, { status: "running", lease_expires_at: anyTime }]
      }
    },
    "jobs.finish": async () => {
      const { claim, path } = await claimed("finishing")
      return { path: `${path}/finish`, sent: { json: { claim, status: "failed", exit_code: 2 } } }
    },
    "pipelines.delete": async () => ({ path: await pipeline("forgetting") })
  }
}
