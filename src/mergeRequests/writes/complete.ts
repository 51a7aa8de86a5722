import { Effect } from "effect"
import { isAncestor } from "../../git/history/mergeBase.ts"
import { Objects } from "../../git/objects/Objects.ts"
import { Repositories } from "../../git/Repositories.ts"
import { branchRef } from "../../git/refs/refNames.ts"
import { handle, load } from "../../platform/Commands.ts"
import { actingAs } from "../../platform/Origin.ts"
import { outsideRun } from "../../platform/repeats.ts"
import { type Move, moveRefs } from "../../pushes/Pushes.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { Plan } from "../events.ts"
import { tipOf } from "../heads.ts"
import type { MergeRequestKey } from "../ids.ts"
import { noteMerge } from "./change.ts"

/** What a merge request says where its target branch moved while it was merged, or where the commit that was made for it is not there any more. */
const targetMoved = "Branch has been updated since the merge was requested. Please review the changes."
const planLost = "The commit of the merge is gone. Please merge it again."

const give = (key: MergeRequestKey, { targetTo }: Plan, error: string) =>
  handle(mergeRequestAggregate, key, { _tag: "GiveUpMerge", targetTo, error })

/** Whether the target branch has what was planned. */
const hasMoved = Effect.fnUntraced(function* (projectId: number, { targetTo }: Plan, tip: string) {
  return tip === targetTo || (yield* isAncestor((yield* Repositories).of(projectId), targetTo, tip))
})

const isThere = Effect.fnUntraced(function* (projectId: number, { targetTo }: Plan) {
  const repository = (yield* Repositories).of(projectId)
  return (yield* Objects.use(({ info }) => info(repository, targetTo))) !== undefined
}, Effect.orDie)

/**
 * Does what a merge request is locked for: the target branch moves as planned, or has moved already, and the merge is noted; or it leads
 * elsewhere by now, and the merge is given up. Whoever finds it locked may do so, several at once: the ref moves only from where it was
 * planned, and the decider takes each outcome once. Answers whether it is merged.
 */
export const completeMerge = Effect.fnUntraced(
  function* (key: MergeRequestKey, move: Move = (changes) => moveRefs(key.projectId, changes)) {
    const { state } = yield* load(mergeRequestAggregate, key)
    if (state._tag !== "Locked") return state._tag === "Merged"
    const { plan } = state
    const { targetBranch: branch } = plan
    const repositories = yield* Repositories
    // It was taken away with its project.
    if (!(yield* repositories.exists(key.projectId))) {
      yield* give(key, plan, targetMoved)
      return false
    }
    // What no branch names yet may be lost with the disk, or where a repository was restored.
    if (!(yield* isThere(key.projectId, plan))) {
      yield* give(key, plan, planLost)
      return false
    }
    const moving = move([{ name: branchRef(branch), from: plan.targetFrom, to: plan.targetTo }])
    const moved = yield* Effect.as(actingAs(plan.by, moving), true).pipe(
      Effect.catchTags({ RefMoved: () => Effect.succeed(false), RefNameTaken: () => Effect.succeed(false) }),
      Effect.orDie
    )
    const tip = moved ? plan.targetTo : yield* tipOf({ projectId: key.projectId, branch })
    const isDone = tip !== undefined && (yield* Effect.orDie(hasMoved(key.projectId, plan, tip)))
    const { by, mergeSha, squashSha } = plan
    yield* isDone ? noteMerge(key, { by, mergeSha, squashSha }) : give(key, plan, targetMoved)
    return isDone
  },
  // It was deleted meanwhile.
  Effect.catchTag("MergeRequestMissing", () => Effect.succeed(false)),
  Effect.orDie,
  outsideRun
)
