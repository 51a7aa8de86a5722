import { pipelineAggregate } from "#src/pipelines/aggregate.ts"
import type { Command, Create, PostStatus } from "#src/pipelines/commands.ts"
import type { NewJob, NewPipeline } from "#src/pipelines/events.ts"
import type { State } from "#src/pipelines/state.ts"
import { stepOf } from "#test/support/aggregateLaws.ts"

export const pipeline: NewPipeline = {
  projectId: 4,
  iid: 1,
  sha: "a".repeat(40),
  ref: "main",
  isTag: false,
  source: "external",
  createdBy: 7
}

export const post: PostStatus = {
  _tag: "PostStatus",
  pipeline,
  id: 11,
  name: "ci",
  ref: "main",
  postedBy: 7,
  status: "pending",
  details: {},
  maxJobs: 1000
}

/** A job with the id and name, in the first stage, which begins when those before succeed. */
export const job = (id: number, name: string, others: Partial<NewJob> = {}): NewJob => ({
  id,
  name,
  stage: `stage ${others.stageIndex ?? 0}`,
  stageIndex: 0,
  when: "on_success",
  allowFailure: false,
  retry: { max: 0, when: ["always"], exitCodes: [] },
  interruptible: false,
  tags: [],
  variables: [],
  definition: { script: [name] },
  ...others
})

export const create = (...jobs: ReadonlyArray<NewJob>): Create => ({
  _tag: "Create",
  pipeline: { ...pipeline, source: "api" },
  jobs
})

const step = stepOf(pipelineAggregate)

/** The state behind these commands. */
export const stateBehind = (...commands: ReadonlyArray<Command>): State => commands.reduce(step, pipelineAggregate.initial)
