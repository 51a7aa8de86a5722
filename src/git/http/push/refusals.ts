import { join } from "node:path"
import { Effect } from "effect"
import { alternates } from "../../process/alternates.ts"
import { run } from "../../process/run.ts"
import type { Repository } from "../../Repository.ts"
import { judge, type RefUpdate } from "../../refs/pushPolicy.ts"
import type { PushGrant } from "../access.ts"
import type { PushQuestion } from "./HookDialogue.ts"
import type { Refusals } from "./machine.ts"

/** Whether a commit is among the ancestors of another that may still be in quarantine. False for what is no commit. */
const isAncestor = (repository: Repository, quarantine: string, { after, before }: RefUpdate) => {
  const folder = join(repository.path, "objects", quarantine)
  const env = quarantine === "" ? {} : { GIT_OBJECT_DIRECTORY: folder, ...alternates([repository]) }
  return Effect.map(
    run(repository, ["merge-base", "--is-ancestor", before ?? "", after ?? ""], { env, statuses: [0, 1, 128] }),
    ({ status }) => status === 0
  )
}

/** Branches whose histories are compared at a time: each takes a process. */
const comparisons = 4

/** What the policy says, as it is now, to each ref that may not move. */
export const refusalsOf = Effect.fnUntraced(function* <R>(
  { policy, repository }: PushGrant<R>,
  { quarantine, updates }: PushQuestion
) {
  const refusals = new Map<string, string>()
  const rules = yield* policy
  const inDoubt = updates.flatMap((update) => {
    const judgement = judge(rules, update)
    if (judgement._tag === "Refused") refusals.set(update.ref, judgement.text)
    return judgement._tag === "Allowed" || judgement.otherwise === undefined ? [] : [[update, judgement.otherwise] as const]
  })
  const compare = ([update, otherwise]: readonly [RefUpdate, string]) =>
    Effect.map(isAncestor(repository, quarantine, update), (isForward) => {
      if (!isForward) refusals.set(update.ref, otherwise)
    })
  yield* Effect.forEach(inDoubt, compare, { concurrency: comparisons, discard: true })
  const answer: Refusals = refusals
  return answer
})
