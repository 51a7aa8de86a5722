import { Effect } from "effect"
import { handle } from "../../platform/Commands.ts"
import { Projects } from "../../projects/Projects.ts"
import { mergeRequestAggregate } from "../aggregate.ts"
import type { MergeRequestKey } from "../ids.ts"
import type { AutoMerge } from "../state.ts"

/** A commit that would have to be rebased first is not merged of itself any more: in projects that want fast-forwards. */
export const abortBehind = Effect.fnUntraced(function* (key: MergeRequestKey, { headSha }: AutoMerge) {
  const found = yield* Projects.use((projects) => projects.find(String(key.projectId), undefined))
  if (found === undefined || found.project.merge_method === "merge") return
  yield* Effect.orDie(handle(mergeRequestAggregate, key, { _tag: "AbortAutoMerge", headSha, reason: "target_branch_updated" }))
})
