import { Effect } from "effect"
import { isAncestor } from "../../git/history/mergeBase.ts"
import { copyMissing } from "../../git/merge/fetchHead.ts"
import { rebase as replay } from "../../git/merge/rebase.ts"
import { Repositories } from "../../git/Repositories.ts"
import { branchRef } from "../../git/refs/refNames.ts"
import type { UserRow } from "../../http/access/Caller.ts"
import { commitEmail } from "../../http/answer/shapes.ts"
import { defined } from "../../kernel/defined.ts"
import { handle, load } from "../../platform/Commands.ts"
import { actingAs } from "../../platform/Origin.ts"
import { outsideRun } from "../../platform/repeats.ts"
import { inClass } from "../../platform/work/CurrentWork.ts"
import { moveRefs } from "../../pushes/Pushes.ts"
import { signed } from "../../repositories/Code.ts"
import { Users } from "../../users/Users.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { MergeRequest, Rebase } from "../decisions/state.ts"
import type { RebasePlan } from "../events.ts"
import { headsOf, tipOf } from "../heads.ts"
import type { MergeRequestKey } from "../ids.ts"
import { refresh } from "../reactions/refresh.ts"
import { cannotPush, rebaseObstacle } from "./rights.ts"

/** What a merge request says of a rebase that came to nothing. */
export const rebaseFailed = "Rebase failed: Rebase locally, resolve all conflicts, then push the branch."
const refusedPush = (reason: string): string => `The rebase pre-receive hook failed: ${reason}.`

/** A rebase of a merge request that was under way when it was looked at. */
interface Running {
  readonly key: MergeRequestKey
  readonly request: MergeRequest
  readonly rebase: Rebase
}

const runningOf = Effect.fnUntraced(function* (key: MergeRequestKey) {
  const { state } = yield* load(mergeRequestAggregate, key)
  if (state._tag !== "Opened" || state.request.rebase === undefined) return undefined
  const running: Running = { key, request: state.request, rebase: state.request.rebase }
  return running
})

const end = ({ key, rebase: { number } }: Running, error?: string) =>
  handle(mergeRequestAggregate, key, { _tag: "EndRebase", number, ...defined({ error }) })

/** Ends the rebase of a merge request that cannot be done, whatever the reason. */
export const giveUpRebase = Effect.fnUntraced(function* (key: MergeRequestKey) {
  const running = yield* runningOf(key)
  if (running !== undefined) yield* end(running, rebaseFailed)
}, Effect.orDie)

/** Replays the commits in the repository of the source, which gets what the target branch has. Undefined where that does not work out. */
const replayed = Effect.fnUntraced(
  function* ({ key, request, rebase }: Running, user: UserRow, externalUrl: string) {
    const { attributes, source } = request
    const heads = yield* headsOf(source, { projectId: key.projectId, branch: attributes.targetBranch })
    if (heads.source === undefined || heads.target === undefined) return undefined
    const repositories = yield* Repositories
    const repository = repositories.of(source.projectId)
    const order = { source: heads.source, target: heads.target }
    if (source.projectId !== key.projectId) {
      const wanted = { commit: order.target, known: [order.source] }
      yield* inClass("transfer")(copyMissing(repository, repositories.of(key.projectId), wanted))
    }
    const committer = signed({ name: user.name, email: commitEmail(user, externalUrl) }, Math.floor(rebase.at / 1000))
    const plan: RebasePlan = { from: order.source, to: yield* replay(repository, { ...order, committer }), onto: order.target }
    return plan
  },
  Effect.catchTags({
    RebaseConflicts: () => Effect.undefined,
    TooManyCommits: () => Effect.undefined,
    NothingInCommon: () => Effect.undefined,
    TreesRefused: () => Effect.undefined,
    // What comes to a limit would do so again.
    GitFailed: (failure) => (failure.exceeded === "time" ? Effect.undefined : Effect.fail(failure))
  })
)

/** Plans a rebase, unless somebody else has. Undefined where it is over. */
const planned = Effect.fnUntraced(function* (running: Running, user: UserRow, externalUrl: string) {
  const { key, rebase, request } = running
  if (rebase.plan !== undefined) return running
  const plan = yield* replayed(running, user, externalUrl)
  if (plan === undefined) {
    yield* end(running, rebaseFailed)
    return undefined
  }
  const { targetBranch } = request.attributes
  yield* handle(mergeRequestAggregate, key, { _tag: "PlanRebase", number: rebase.number, targetBranch, plan })
  return yield* runningOf(key)
})

/** Whether the source branch has what was planned. */
const isThere = Effect.fnUntraced(function* ({ request: { source } }: Running, { to }: RebasePlan) {
  const tip = yield* tipOf(source)
  if (tip === undefined || tip === to) return tip === to
  return yield* isAncestor((yield* Repositories).of(source.projectId), to, tip)
})

/** Moves the source branch as planned, unless it leads elsewhere by now. */
const move = ({ rebase, request: { source } }: Running, { from, to }: RebasePlan) => {
  const options = rebase.skipsPipelines ? ["ci.skip"] : []
  return actingAs(rebase.by, moveRefs(source.projectId, [{ name: branchRef(source.branch), from, to }], options)).pipe(
    Effect.catchTags({ RefMoved: () => Effect.void, RefNameTaken: () => Effect.void })
  )
}

/** Tells how a rebase ended whose branch moved, or could not: whoever sees that it is over sees what came of it. */
const conclude = Effect.fnUntraced(function* (running: Running, plan: RebasePlan) {
  if (!(yield* isThere(running, plan))) return yield* end(running, rebaseFailed)
  yield* Effect.ignore(refresh(running.key))
  return yield* end(running)
})

/** Who rebases, or why they may not any more. */
const authorityOf = Effect.fnUntraced(function* ({ key, rebase, request: { attributes, source } }: Running) {
  const user = yield* Users.use((users) => users.find(rebase.by))
  if (user?.state !== "active") return { obstacle: cannotPush }
  const obstacle = yield* rebaseObstacle(user, { projectId: key.projectId, source, ...attributes })
  return obstacle === undefined ? { user } : { obstacle }
})

/**
 * Does the rebase that was asked for, or goes on with it: with the rights that the user has by now. Nothing happens where none is under way.
 * Several processes may do so at once: they replay the same, the first plan counts, and the source branch moves only from where it was planned.
 */
export const performRebase = Effect.fnUntraced(
  function* (key: MergeRequestKey, externalUrl: string) {
    const running = yield* runningOf(key)
    if (running === undefined) return
    const { plan } = running.rebase
    // It moved before, and nobody could tell so.
    if (plan !== undefined && (yield* isThere(running, plan))) return yield* Effect.asVoid(conclude(running, plan))
    const { obstacle, user } = yield* authorityOf(running)
    if (user === undefined) return yield* Effect.asVoid(end(running, refusedPush(obstacle)))
    const after = yield* planned(running, user, externalUrl)
    // Where the target branch was changed meanwhile there is no plan yet, and the next look makes one.
    if (after?.rebase.plan === undefined || after.rebase.number !== running.rebase.number) return
    yield* move(after, after.rebase.plan)
    yield* conclude(after, after.rebase.plan)
  },
  Effect.orDie,
  outsideRun
)
