import { Clock, Effect } from "effect"
import { Repositories } from "../../git/Repositories.ts"
import type { UserRow } from "../../http/access/Caller.ts"
import { defined } from "../../kernel/defined.ts"
import { awaitSlice } from "../../kernel/inSlices.ts"
import { handle, handleNew, load } from "../../platform/Commands.ts"
import { nextIds, nextNumber } from "../../platform/Ids.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { outsideRun } from "../../platform/repeats.ts"
import { FairQueue } from "../../platform/work/FairQueue.ts"
import type { ProjectRow } from "../../projects/Projects.ts"
import { commitOf } from "../../repositories/Code.ts"
import { pipelineAggregate } from "../aggregate.ts"
import { compile } from "../config/compilation/compile.ts"
import type { Compiled, JobPlan } from "../config/plan.ts"
import { predefinedVariables } from "../config/predefined.ts"
import { skipsCi } from "../config/skipsCi.ts"
import { type MergeRequestOrigin, type NewJob, type NewPipeline, type Source, storedNeeds } from "../events.ts"
import { PipelineQueries } from "../Queries.ts"
import { type PipelineVariable, sealVariables } from "../variables.ts"
import { Configurations, type Configured } from "./Configurations.ts"
import { configPathOf, isElsewhere } from "./configPath.ts"
import { factsOf } from "./facts.ts"
import { filesOf } from "./files.ts"
import { targetOf } from "./refs.ts"

export interface PipelineRequest {
  /** The id that the pipeline gets. One with this id that is there already stays as it is. */
  readonly id: number
  readonly project: ProjectRow
  /** The full name of a branch or tag, or of a ref of the merge request. */
  readonly ref: string
  /** Whether the ref is protected, where the caller knows. */
  readonly isProtected?: boolean
  readonly source: Source
  /** The user as whom the jobs run. */
  readonly by: UserRow
  readonly variables: ReadonlyArray<PipelineVariable>
  /** Links begin with it; without a slash at its end. */
  readonly serverUrl: string
  /** Also the slot for which it is, in milliseconds since 1970, where it is for one. */
  readonly schedule?: { readonly id: number; readonly description: string; readonly scheduledFor?: number }
  /** What a push moved the ref from and to; of other pipelines, the commit is that of the ref. */
  readonly push?: { readonly before: string | null; readonly sha: string }
  /** The merge request for which it is, and the commit of its source. */
  readonly mergeRequest?: { readonly origin: MergeRequestOrigin; readonly sha: string }
  /** Whether the id was taken just now, so that there is no such pipeline yet. */
  readonly isNew?: boolean
}

/** Whether no pipelines are made in a project. */
export const isSwitchedOff = ({ builds_access_level }: Pick<ProjectRow, "builds_access_level">): boolean =>
  builds_access_level === "disabled"

/** Why there is no pipeline, in the words of the reference. */
export interface PipelineRefused {
  readonly _tag: "PipelineRefused"
  readonly reason:
    | "noRef"
    /** Jobs are switched off in the project. */
    | "switchedOff"
    /** There is no configuration. */
    | "noConfiguration"
    /** The configuration wants no pipeline here. */
    | "notWanted"
    | "invalid"
  readonly texts: ReadonlyArray<string>
}

const refused = (reason: PipelineRefused["reason"], ...texts: ReadonlyArray<string>): PipelineRefused => ({
  _tag: "PipelineRefused",
  reason,
  texts
})

const notFound = refused("noRef", "Reference not found")
export const switchedOff = refused("switchedOff", "Pipelines are disabled!")
const noConfiguration = refused("noConfiguration", "Missing CI config file")
const filtered = refused("notWanted", "Pipeline filtered out by workflow rules.")
const noJobs = refused(
  "notWanted",
  "Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline."
)

const deleted = refused("notWanted", "The pipeline was deleted")

/** Characters of all variables together. */
const maxVariables = 1024 * 1024
const tooLarge = refused("invalid", "The variables of the pipeline are too large together (maximum is 1048576 characters)")

const shortName = (ref: string): { readonly ref: string; readonly isTag: boolean } => {
  const { isTag, name } = targetOf(ref)
  return { ref: name, isTag }
}

const newPipeline = Effect.fnUntraced(function* (request: PipelineRequest, sha: string) {
  const { by, mergeRequest, project, push, ref, schedule, source, variables } = request
  const { highestNumber, openMergeRequests } = yield* PipelineQueries
  const named = shortName(ref)
  const { sourceBranch, sourceProjectId } = mergeRequest?.origin ?? { sourceBranch: named.ref, sourceProjectId: project.id }
  const { iid, open, sealed } = yield* Effect.all(
    {
      open: named.isTag ? Effect.succeed([]) : openMergeRequests(sourceProjectId, sourceBranch),
      iid: outsideRun(nextNumber("pipeline", project.id, highestNumber)),
      sealed: sealVariables(project.id, variables)
    },
    { concurrency: "unbounded" }
  )
  const pipeline: NewPipeline = {
    projectId: project.id,
    iid,
    sha,
    ...named,
    source,
    createdBy: by.id,
    ...defined({
      beforeSha: push?.before ?? undefined,
      scheduleId: schedule?.id,
      scheduledFor: schedule?.scheduledFor,
      scheduleDescription: schedule?.description,
      mergeRequest: mergeRequest?.origin,
      openMergeRequests: open.length === 0 ? undefined : open,
      variables: sealed
    })
  }
  return pipeline
})

/**
 * So many configurations are compiled at the same time, of one user half of them: each may take a few dozen MiB. Who waits for an answer waits as
 * long as it takes.
 */
const compilations = new FairQueue({
  concurrency: 16,
  perCaller: 8,
  maxQueued: Number.POSITIVE_INFINITY,
  timeoutMillis: 2 ** 31 - 1
})

/** What the configuration of the commit means for a pipeline. */
const compiled = Effect.fnUntraced(function* (
  request: PipelineRequest,
  pipeline: NewPipeline,
  { commit, text = "" }: Configured
) {
  const { by, id, isProtected, mergeRequest, project, push, serverUrl, variables } = request
  const repository = (yield* Repositories).of(project.id)
  const createdAt = yield* Clock.currentTimeMillis
  const facts = yield* factsOf({
    id,
    pipeline,
    createdAt,
    project,
    commit,
    isProtected,
    user: { id: by.id, username: by.username, name: by.name, email: by.email },
    serverUrl
  })
  const context = {
    source: pipeline.source,
    ref: pipeline.ref,
    isTag: pipeline.isTag,
    projectPath: project.path_with_namespace,
    predefined: predefinedVariables(facts),
    variables
  }
  const files = yield* filesOf(repository, pipeline.sha, mergeRequest?.origin.baseSha ?? push?.before ?? undefined)
  return yield* Effect.orDie(compilations.run({ caller: `user:${by.id}` }, compile(text, context, files)))
})

const newJob = ({ definition, needs, ...plan }: JobPlan, id: number, stages: ReadonlyArray<string>): NewJob => ({
  ...plan,
  ...storedNeeds(needs),
  id,
  stageIndex: stages.indexOf(plan.stage),
  definition
})

const withIds = Effect.fnUntraced(function* ({ jobs, stages }: Extract<Compiled, { readonly _tag: "Planned" }>) {
  const ids = yield* nextIds("job", jobs.length)
  return jobs.flatMap((plan, index) => {
    const id = ids[index]
    return id === undefined ? [] : [newJob(plan, id, stages)]
  })
})

/** To append more jobs takes several milliseconds at once. */
const maxJobsAtOnce = 50

const append = Effect.fnUntraced(function* (
  { id, isNew }: Pick<PipelineRequest, "id" | "isNew">,
  pipeline: NewPipeline,
  jobs: ReadonlyArray<NewJob>
) {
  if (jobs.length > maxJobsAtOnce) yield* awaitSlice
  const command = { _tag: "Create", pipeline, jobs } as const
  const send = isNew === true ? handleNew : handle
  return { _tag: "Created" as const, ...(yield* Effect.orDie(send(pipelineAggregate, id, command))) }
})

/** It would be told as missing otherwise, although it may well be there. */
const elsewhere = (path: string): Compiled => ({
  _tag: "Invalid",
  errors: [`ci_config_path \`${path}\` is not supported here: the configuration has to be in the repository`]
})

const planned = Effect.fnUntraced(function* (request: PipelineRequest, pipeline: NewPipeline, configured: Configured) {
  const path = configPathOf(request.project)
  const plan = isElsewhere(path) ? elsewhere(path) : yield* compiled(request, pipeline, configured)
  switch (plan._tag) {
    case "Filtered":
      return filtered
    case "NoJobs":
      return noJobs
    case "Invalid":
      return yield* append(request, { ...pipeline, yamlErrors: plan.errors.join(", ") }, [])
    case "Planned":
      return yield* append(request, { ...pipeline, ...(plan.name !== null && { name: plan.name }) }, yield* withIds(plan))
  }
})

/** Only those that pushes and merge requests make heed what the message of their commit says. */
const isSkipped = ({ source }: PipelineRequest, { commit }: Configured): boolean =>
  (source === "push" || source === "merge_request_event") && commit !== undefined && skipsCi(commit.message)

/** A pipeline that is there already, or was deleted since; undefined for none. */
const existing = Effect.fnUntraced(function* (request: PipelineRequest) {
  if (request.isNew === true) return undefined
  const { state } = yield* load(pipelineAggregate, request.id)
  if (state._tag === "Deleted") return deleted
  // It is answered as it was made.
  return state._tag === "Present" ? yield* append(request, state.pipeline.origin, []) : undefined
})

/**
 * Makes a pipeline of what the configuration of a commit says, a failed one of a wrong configuration. Rights are the caller's to judge. A run that is cut short leaves
 * nothing, and one with the same id changes nothing when the first one came about.
 */
export const createPipeline = Effect.fnUntraced(function* (request: PipelineRequest) {
  const { mergeRequest, project, push, ref, variables } = request
  if (variables.reduce((sum, { key, value }) => sum + key.length + value.length, 0) > maxVariables) return tooLarge
  const before = yield* existing(request)
  if (before !== undefined) return before
  if (isSwitchedOff(project)) return switchedOff
  const path = configPathOf(project)
  const repository = (yield* Repositories).of(project.id)
  const configurations = yield* Configurations
  const known = mergeRequest?.sha ?? push?.sha
  const sha = known ?? (yield* configurations.cachedTip(repository, ref, path)) ?? (yield* commitOf(project, ref))
  if (sha === undefined) return notFound
  const configured = yield* configurations.of(repository, sha, path)
  if (configured.text === undefined && !isElsewhere(path)) return noConfiguration
  const pipeline = yield* newPipeline(request, sha)
  if (isSkipped(request, configured)) return yield* append(request, { ...pipeline, isSkipped: true }, [])
  return yield* planned(request, pipeline, configured)
}, spanned("pipelines.create"))
