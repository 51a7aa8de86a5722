import { Effect } from "effect"
import type { Caller } from "../../http/access/Caller.ts"
import { forbidden } from "../../http/answer/errors.ts"
import { defined } from "../../kernel/defined.ts"
import type { ReadableProject } from "../../projects/Projects.ts"
import { issuesAfter } from "../closing/noteIssuesToClose.ts"
import type { MergeRequestKey } from "../ids.ts"
import { withQuickActions } from "../quickActions/quickActions.ts"
import { unprocessableList } from "../refuse.ts"
import { involvedIn, mayUpdate, requirePresent } from "../requireMergeRequest.ts"
import { updatePresent } from "../writes/change.ts"
import { changesOf, type Settings } from "../writes/input.ts"

interface Changing {
  readonly found: ReadableProject
  readonly key: MergeRequestKey
  readonly caller: Pick<Caller, "user">
  readonly externalUrl: string
}

/** Changes a merge request as the parameters ask, for whoever may. */
export const changeBy = Effect.fnUntraced(function* ({ caller, externalUrl, found, key }: Changing, parameters: Settings) {
  const state = yield* requirePresent(found, key)
  const { attributes, source } = state.request
  if (!mayUpdate(found, involvedIn(state.request), caller.user.id)) return yield* forbidden
  const sourceBranch = source.projectId === found.project.id ? source.branch : undefined
  const ordering = { target: found, sourceBranch, caller }
  const { parameters: ordered, time } = yield* withQuickActions(parameters, attributes, ordering)
  const update = yield* changesOf(ordered, state, { target: found, caller })
  const { targetBranch } = update.changes
  if (targetBranch !== undefined && targetBranch === sourceBranch)
    return yield* unprocessableList("You can't use same project/branch for source and target")
  const closing = yield* issuesAfter(key, state, update, { externalUrl, home: found.project })
  return yield* updatePresent(key, state, { by: caller.user.id, ...update, ...defined({ closing, time }) })
})
