import { Effect } from "effect"
import { isoMillis } from "../../http/answer/jsonTimes.ts"
import type { ReadableProject } from "../../projects/Projects.ts"
import { Users } from "../../users/Users.ts"
import { predefinedJobVariables, predefinedVariables } from "../config/predefined.ts"
import { factsOf } from "../creation/facts.ts"
import { presentJobs } from "../jobs/present.ts"
import type { JobRow } from "../Queries.ts"
import { jobNamed } from "../state.ts"
import { openVariables } from "../variables.ts"
import type { Running } from "./claim.ts"
import type { ClaimedJob } from "./shapes.ts"

type Variables = (typeof ClaimedJob.Type)["variables"]

const plain = (key: string, value: string): Variables[number] => ({ key, value, file: false, raw: true })

/** All variables of a job: what is predefined, then of the configuration, then of whoever made the pipeline, then of whoever started the job. */
const variablesOf = Effect.fnUntraced(function* ({ build, pipeline, pipelineId }: Running, row: JobRow, around: Around) {
  const { project, serverUrl } = around
  const user = yield* Users.use((users) => users.find(build.by))
  const { email = "", id = build.by, name = "", username = "" } = user ?? {}
  const createdAt = row.pipeline.created_at
  const facts = yield* factsOf({
    id: pipelineId,
    pipeline: { ...pipeline.origin, ...(pipeline.name !== null && { name: pipeline.name }) },
    createdAt,
    project,
    user: { id, username, name, email },
    serverUrl
  })
  const { plan } = build
  const predefined = [...predefinedVariables(facts), ...predefinedJobVariables(plan)]
  const ofPipeline = yield* openVariables(project.id, pipeline.origin.variables)
  const ofJob = yield* openVariables(project.id, plan.playVariables)
  const all: Variables = [
    ...predefined.map(({ key, value }) => plain(key, value)),
    plain("CI_JOB_ID", `${build.id}`),
    plain("CI_JOB_URL", `${serverUrl}/${project.path_with_namespace}/-/jobs/${build.id}`),
    ...plan.variables.map(({ isExpanded, key, value }) => ({ key, value, file: false, raw: !isExpanded })),
    ...[...ofPipeline, ...ofJob].map(({ key, raw, value, variableType }) => ({ key, value, file: variableType === "file", raw }))
  ]
  return all
})

interface Around {
  readonly project: ReadableProject["project"]
  readonly serverUrl: string
}

const neededBy = ({ build, pipeline }: Running): (typeof ClaimedJob.Type)["needs"] => {
  const { needs, needsWithoutArtifacts = [] } = build.plan
  const needed = needs?.flatMap((name) => {
    const job = jobNamed(pipeline, name)
    return job === undefined ? [] : [{ id: job.id, name, artifacts: !needsWithoutArtifacts.includes(name) }]
  })
  return needed ?? null
}

/** Shows an executor what it is to run. `until` is when the lease ends, in milliseconds since 1970. */
export const presentClaimed = Effect.fn("pipelines.presentClaimed")(function* (
  found: ReadableProject,
  running: Running,
  { row, serverUrl, until }: { readonly row: JobRow; readonly until: number; readonly serverUrl: string }
) {
  const { project } = found
  const [job] = yield* presentJobs(found, [row], serverUrl)
  if (job === undefined) return undefined
  const { build, claim, pipeline } = running
  const { beforeSha, isTag, ref, sha } = pipeline.origin
  const shown: typeof ClaimedJob.Type = {
    job,
    claim,
    lease_expires_at: isoMillis(until),
    git: {
      repository_url: `${serverUrl}/${project.path_with_namespace}.git`,
      ref,
      is_tag: isTag,
      sha,
      before_sha: beforeSha ?? "0".repeat(40)
    },
    variables: yield* variablesOf(running, row, { project, serverUrl }),
    needs: neededBy(running),
    coverage: build.plan.coverage ?? null,
    definition: build.plan.definition
  }
  return shown
})
