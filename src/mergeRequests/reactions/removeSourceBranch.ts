import { Effect } from "effect"
import { branchRef } from "../../git/refs/refNames.ts"
import { load } from "../../platform/Commands.ts"
import { actingAs } from "../../platform/Origin.ts"
import { can, Projects, principalOf } from "../../projects/Projects.ts"
import { isProtectedRef, moveRefs, policyOf } from "../../pushes/Pushes.ts"
import { Users } from "../../users/Users.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import { tipOf } from "../heads.ts"
import type { MergeRequestKey } from "../ids.ts"
import { abortInto } from "../writes/abortAutoMerge.ts"
import { retargetStacked } from "./retargetStacked.ts"

/**
 * Removes the source branch of what was merged: with the rights of who merged it, unless it is protected, the
 * default branch, or leads elsewhere by now. What is stacked on it is to be merged into the target instead.
 */
export const removeSourceBranch = Effect.fnUntraced(function* (key: MergeRequestKey, by: number) {
  const { state } = yield* load(mergeRequestAggregate, key)
  if (state._tag !== "Merged") return
  const { source, version } = state.request
  const [user, found] = [
    yield* Users.use((users) => users.find(by)),
    yield* Projects.use((projects) => projects.find(String(source.projectId), by))
  ]
  if (user === undefined || found === undefined || found.project.default_branch === source.branch) return
  const principal = principalOf({ user }, found.role)
  const target = { name: source.branch, isTag: false }
  if (!can("push_code", principal, found.project) || isProtectedRef(yield* policyOf(found, principal), target)) return
  const tip = yield* tipOf(source)
  if (tip === undefined || tip !== version?.headSha) return
  if (source.projectId === key.projectId) {
    yield* abortInto(key, source.branch, by)
    yield* actingAs(by, retargetStacked(source, state.request.attributes.targetBranch, user))
  }
  const removal = moveRefs(source.projectId, [{ name: branchRef(source.branch), from: tip, to: null }])
  // Somebody pushed to it meanwhile.
  yield* Effect.catchTag(actingAs(by, removal), "RefMoved", () => Effect.void)
}, Effect.orDie)
