import { join } from "node:path"
import { Effect } from "effect"
import { defined } from "../../../kernel/defined.ts"
import { alternates } from "../../process/alternates.ts"
import { run } from "../../process/run.ts"
import type { Repository } from "../../Repository.ts"
import type { RefUpdate } from "../../refs/pushedRefs.ts"
import { TreeLimits } from "../../trees/TreeLimits.ts"
import type { PushGrant } from "../access.ts"
import type { PushQuestion } from "./HookDialogue.ts"
import { type Refusals, refusing } from "./machine.ts"

/** Where the objects of a push lie before they are part of the repository. */
const quarantineOf = ({ path }: Repository, quarantine: string) => join(path, "objects", quarantine)

/** Whether a commit is among the ancestors of another that may still be in quarantine. False for what is no commit. */
const isAncestor = (repository: Repository, quarantine: string | undefined, { after, before }: RefUpdate) => {
  const folder = quarantine === undefined ? undefined : quarantineOf(repository, quarantine)
  const env = { ...defined({ GIT_OBJECT_DIRECTORY: folder }), ...alternates(folder === undefined ? [] : [repository]) }
  return Effect.map(
    run(repository, ["merge-base", "--is-ancestor", before ?? "", after ?? ""], { env, statuses: [0, 1, 128] }),
    ({ status }) => status === 0
  )
}

/** Branches whose histories are compared at a time: each takes a process. */
const maxConcurrentComparisons = 4

/** Refuses all refs where a tree expands too far: any ref that moves makes git keep all objects. */
const treeRefusals = Effect.fnUntraced(function* (repository: Repository, { quarantine, updates }: PushQuestion) {
  const none: Refusals = new Map()
  if (quarantine === undefined) return none
  const limits = yield* TreeLimits
  const tips = Effect.succeed(updates.flatMap(({ after }) => after ?? []))
  return yield* limits.check(repository, quarantineOf(repository, quarantine), tips).pipe(
    Effect.as(none),
    Effect.catchTag("TreesRefused", ({ message }) => Effect.succeed(refusing(updates, message)))
  )
})

/** The verdict, as it is now, on each ref that may not move. */
export const refusalsOf = Effect.fnUntraced(function* <R>({ judge, repository }: PushGrant<R>, question: PushQuestion) {
  const { quarantine, updates } = question
  const refusals = new Map<string, string>()
  const verdictOn = yield* judge
  const conditional = updates.flatMap((update) => {
    const verdict = verdictOn(update)
    if (verdict._tag === "Refused") refusals.set(update.ref, verdict.text)
    return verdict._tag === "Allowed" || verdict.otherwise === undefined ? [] : [[update, verdict.otherwise] as const]
  })
  const compare = ([update, otherwise]: readonly [RefUpdate, string]) =>
    Effect.map(isAncestor(repository, quarantine, update), (isForward) => {
      if (!isForward) refusals.set(update.ref, otherwise)
    })
  yield* Effect.forEach(conditional, compare, { concurrency: maxConcurrentComparisons, discard: true })
  const answer: Refusals = refusals
  return answer.size === updates.length ? answer : new Map([...answer, ...(yield* treeRefusals(repository, question))])
})
