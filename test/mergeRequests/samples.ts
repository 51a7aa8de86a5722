import { mergeRequestAggregate } from "#src/mergeRequests/decisions/aggregate.ts"
import type { AddVersion, Command, Open, RequestRebase, SetAutoMerge } from "#src/mergeRequests/decisions/commands.ts"
import type { State } from "#src/mergeRequests/decisions/state.ts"
import { type Attributes, MergeRequestEvent, type Plan, type RebasePlan, type Version } from "#src/mergeRequests/events.ts"
import { stepOf } from "#test/support/aggregateLaws.ts"

export const attributes: Attributes = {
  title: "Add a topic",
  description: null,
  targetBranch: "main",
  assigneeIds: [],
  reviewerIds: [],
  squash: false,
  removesSourceBranch: false,
  allowsCollaboration: false,
  isDiscussionLocked: null
}

export const source = { projectId: 4, branch: "topic" }
/** A commit id that consists of this digit. */
export const shaOf = (digit: string): string => digit.repeat(40)

export const open: Open = { _tag: "Open", id: 84, authorId: 7, source, sourceSha: shaOf("a"), attributes }
export const opened = MergeRequestEvent.cases.MergeRequestOpened.make({
  id: 84,
  authorId: 7,
  source,
  sourceSha: shaOf("a"),
  ...attributes
})

export const version: Version = {
  targetBranch: "main",
  headSha: shaOf("a"),
  baseSha: shaOf("b"),
  startSha: shaOf("b"),
  files: 1,
  isCut: false,
  commits: 1,
  patchId: shaOf("f")
}
export const addVersion: AddVersion = { _tag: "AddVersion", id: 110, previous: undefined, version }

export const plan: Plan = {
  by: 9,
  headSha: shaOf("a"),
  targetBranch: "main",
  targetFrom: shaOf("b"),
  targetTo: shaOf("c"),
  mergeSha: shaOf("c"),
  squashSha: null,
  squash: false,
  removesSourceBranch: true
}

export const requestRebase: RequestRebase = { _tag: "RequestRebase", by: 8, at: 1_700_000_000_000, skipsPipelines: true }
export const rebasePlan: RebasePlan = { from: shaOf("a"), to: shaOf("d"), onto: shaOf("b") }
export const setAutoMerge: SetAutoMerge = {
  _tag: "SetAutoMerge",
  by: 9,
  headSha: shaOf("a"),
  mergeMessage: null,
  squashMessage: "All at once",
  squash: false,
  removesSourceBranch: true
}

const step = stepOf(mergeRequestAggregate)

/** The state behind these commands. */
export const stateBehind = (...commands: ReadonlyArray<Command>): State => commands.reduce(step, mergeRequestAggregate.initial)
