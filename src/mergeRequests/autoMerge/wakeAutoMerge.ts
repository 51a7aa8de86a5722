import { Effect } from "effect"
import { handle } from "../../platform/Commands.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { MergeRequestKey } from "../ids.ts"
import { MergeRequestQueries } from "../Queries.ts"

/** Lets one that is to be merged of itself be looked at; nothing happens to others. */
export const wakeAutoMerge = Effect.fnUntraced(
  function* (key: MergeRequestKey) {
    yield* handle(mergeRequestAggregate, key, { _tag: "WakeAutoMerge" })
  },
  Effect.catchTag("MergeRequestMissing", () => Effect.void),
  Effect.orDie
)

/** The same where none of its discussions waits to be resolved any more. */
export const wakeResolved = Effect.fnUntraced(function* (key: MergeRequestKey) {
  const row = yield* MergeRequestQueries.use((requests) => requests.find(key.projectId, key.iid))
  if (row !== undefined && row.auto_merge_user_id !== null && !row.has_unresolved_discussions) yield* wakeAutoMerge(key)
})
