import { Effect } from "effect"
import { branchRef } from "../../git/refs/refNames.ts"
import { defined } from "../../kernel/defined.ts"
import { pushOptionsOf } from "../../pipelines/Pipelines.ts"
import { nextId } from "../../platform/Ids.ts"
import { lastMoves } from "../../pushes/Pushes.ts"
import type { Version } from "../events.ts"
import type { MergeRequest } from "../state.ts"

const nothing: { readonly by?: number; readonly pipelineId?: number } = {}

/** Who pushed the head of a new version, as far as that is known, and the id of its pipeline: only what is new to be merged gets one. */
export const arrivalOf = Effect.fnUntraced(function* ({ source, version: before }: MergeRequest, version: Version) {
  const isPushed = before !== undefined && before.headSha !== version.headSha
  const isNew = isPushed || before?.targetBranch !== version.targetBranch
  if (!isNew) return nothing
  const moves = isPushed ? yield* lastMoves(source.projectId, branchRef(source.branch)) : []
  const push = moves.find(({ after }) => after === version.headSha)
  const isSkipped = push !== undefined && pushOptionsOf(push.options).skips
  return { ...defined({ by: push?.by }), ...(isSkipped ? nothing : { pipelineId: yield* nextId("pipeline") }) }
})
