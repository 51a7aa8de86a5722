import type { Command, PostStatus, State } from "#src/pipelines/aggregate.ts"
import { pipelineAggregate } from "#src/pipelines/aggregate.ts"
import type { NewPipeline } from "#src/pipelines/events.ts"
import { obeyOf } from "#test/support/aggregateLaws.ts"

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
  details: {}
}

const obey = obeyOf(pipelineAggregate)

/** The state behind these commands. */
export const stateBehind = (...commands: ReadonlyArray<Command>): State => commands.reduce(obey, pipelineAggregate.initial)
