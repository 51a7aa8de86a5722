import { field } from "#test/support/exactly.ts"
import { answerOf, type Received, type Sent } from "#test/support/service.ts"
import { usePipelines } from "./usePipelines.ts"

/** Status and body of an answer that is under way. */
export const answerTo = async (answer: Promise<Received>) => answerOf(await answer)

/** A running service, with projects whose `main` has a configuration. */
export const useJobs = (env: Readonly<Record<string, string>> = {}) => {
  const pipelines = usePipelines(env)
  const { newProject, service } = pipelines
  const { request } = service
  const put = async (id: unknown, path: string, content: string, branch = "main") => {
    const json = { branch, commit_message: `Add ${path}`, content }
    return request("POST", `/projects/${id}/repository/files/${encodeURIComponent(path)}`, { json })
  }
  const create = (id: unknown, json: object = {}, sent: Sent = {}): Promise<Received> =>
    request("POST", `/projects/${id}/pipeline`, { json: { ref: "main", ...json }, ...sent })
  const jobsOf = async (id: unknown, pipeline: unknown, query: Readonly<Record<string, string>> = {}) => {
    const { body } = await request("GET", `/projects/${id}/pipelines/${pipeline}/jobs`, { query })
    return Array.isArray(body) ? body : []
  }
  return {
    ...pipelines,
    put,
    create,
    jobsOf,
    /** A project with this configuration: its id. */
    configured: async (name: string, configuration: string, settings: object = {}) => {
      const { id } = await newProject(name, settings)
      await put(id, ".gitlab-ci.yml", configuration)
      return id
    },
    /** Names and statuses of the jobs of a pipeline, in the order in which they were made. */
    statuses: async (id: unknown, pipeline: unknown) =>
      (await jobsOf(id, pipeline)).map((job) => `${field(job, "name")} ${field(job, "status")}`).toReversed(),
    /** The id of the newest job with a name. */
    jobNamed: async (id: unknown, pipeline: unknown, name: string) =>
      field(
        (await jobsOf(id, pipeline)).find((job) => field(job, "name") === name),
        "id"
      ),
    claim: (id: unknown, json: object = {}, sent: Sent = {}) =>
      request("POST", `/projects/${id}/jobs/claim`, { json: { executor: "one", ...json }, ...sent }),
    finish: (id: unknown, job: unknown, json: object, sent: Sent = {}) =>
      request("POST", `/projects/${id}/jobs/${job}/finish`, { json, ...sent })
  }
}
