import { Clock, Effect } from "effect"
import { planMerge, writePlan } from "../../git/merge/planMerge.ts"
import type { Authorship } from "../../git/merge/squash.ts"
import { Repositories } from "../../git/Repositories.ts"
import { branchRef } from "../../git/refs/refNames.ts"
import { RefMoved } from "../../git/refs/updateRefs.ts"
import type { UserRow } from "../../http/access/Caller.ts"
import { unauthorized, WireError } from "../../http/answer/errors.ts"
import { commitEmail } from "../../http/answer/shapes.ts"
import { handle, load } from "../../platform/Commands.ts"
import { Projects, principalOf, type ReadableProject } from "../../projects/Projects.ts"
import { type Move, moveFromTip } from "../../pushes/Pushes.ts"
import { signed } from "../../repositories/Code.ts"
import { Users } from "../../users/Users.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import { approvalsLeft } from "../decisions/approvals.ts"
import { hasFailed, type MergeRequest, type State } from "../decisions/state.ts"
import type { Plan, Version } from "../events.ts"
import { isDiscussed } from "../factsOf.ts"
import { type Heads, hasBoth, headsNow, headsOf } from "../heads.ts"
import type { MergeRequestKey } from "../ids.ts"
import { fullReference, urlOf } from "../present.ts"
import { MergeRequestQueries, type MergeRequestRow } from "../Queries.ts"
import { isCurrent, openedOf, refresh } from "../reactions/refresh.ts"
import { otherHead } from "../refuse.ts"
import { pipelineCheck, pipelineFactsOf } from "../status/pipelineCheck.ts"
import { isDraft } from "../text/drafts.ts"
import { mayMerge } from "../view.ts"
import { completeMerge } from "../writes/complete.ts"
import { messagesOf } from "./messages.ts"

export const notAllowed = new WireError({ status: 405, body: { message: "405 Method Not Allowed" } })
export const cannotBeMerged = new WireError({ status: 422, body: { message: "Branch cannot be merged" } })

/** What a merge is asked to do. */
export interface Wanted {
  readonly sha?: string | undefined
  readonly squash?: boolean | undefined
  readonly mergeMessage?: string | undefined
  /** White space alone is none. */
  readonly squashMessage?: string | undefined
  readonly removesSourceBranch: boolean | null
}

export interface Merging {
  readonly row: MergeRequestRow
  readonly found: ReadableProject
  readonly merger: UserRow
  readonly externalUrl: string
}

const squashDemanded = "This project requires squashing commits when merge requests are accepted."
const squashIsDemanded = ({ squash_option }: MergeRequestRow, squash: boolean): boolean => squash_option === "always" && !squash

const squashes = ({ attributes }: MergeRequest, { squash }: Wanted): boolean => squash === true || attributes.squash

/** A message as it is; undefined where it says nothing. */
const worded = (message: string | undefined): string | undefined => (message?.trim() ? message : undefined)

type Opened = Extract<State, { readonly _tag: "Opened" }>

/** Why the pipeline of a commit keeps it from being merged; undefined where it does not. */
const pipelineReason = Effect.fnUntraced(function* ({ autoMerge }: MergeRequest, row: MergeRequestRow, sha: string) {
  const { headPipelineStatus } = yield* MergeRequestQueries
  const of = { id: row.id, sourceProjectId: row.source_project_id, sourceBranch: row.source_branch, sha }
  return pipelineCheck(pipelineFactsOf(row, yield* headPipelineStatus(of), autoMerge !== undefined))
})

/** Whether it is to be merged at all, in the order in which that is told. Answers the heads of both branches, and what there is. */
const judge = Effect.fnUntraced(function* ({ request }: Opened, { row }: Merging) {
  const { approvals, attributes, mergeability, source, version } = request
  // The caller's rights are those for the branch that the row names; the decider sees to it that this is what is planned.
  if (attributes.targetBranch !== row.target_branch) return yield* cannotBeMerged
  if (row.is_blocked) return yield* notAllowed
  // The source branch is about to move.
  if (request.rebase !== undefined) return yield* notAllowed
  const heads = yield* headsOf(source, { projectId: row.project_id, branch: attributes.targetBranch })
  if (isDraft(attributes.title) || version === undefined || version.commits === 0) return yield* notAllowed
  if (heads.source === undefined || heads.target === undefined || isDiscussed(row)) return yield* notAllowed
  if (approvalsLeft(approvals) > 0) return yield* notAllowed
  if ((yield* pipelineReason(request, row, heads.source)) !== undefined) return yield* notAllowed
  if (mergeability._tag === "Checked" && mergeability.verdict === "conflict") return yield* cannotBeMerged
  // Somebody pushed a moment ago: what came is not even in the repository of the target.
  if (heads.source !== version.headSha) return yield* cannotBeMerged
  return { heads: { source: heads.source, target: heads.target }, request: { ...request, version } }
})

/** What is to become of the commits, by whom, and with which words. */
const orderOf = Effect.fnUntraced(function* (
  request: MergeRequest & { readonly version: Version },
  { externalUrl, found, merger, row }: Merging,
  wanted: Wanted
) {
  const isSquashed = squashes(request, wanted)
  if (squashIsDemanded(row, isSquashed)) {
    yield* handle(
      mergeRequestAggregate,
      { projectId: row.project_id, iid: row.iid },
      { _tag: "FailMerge", error: squashDemanded }
    )
    return yield* cannotBeMerged
  }
  const author = (yield* Users.use((users) => users.find(request.authorId))) ?? merger
  const repository = (yield* Repositories).of(row.project_id)
  const named = { reference: fullReference(row), url: urlOf(row, { externalUrl }) }
  const people = { author, merger, externalUrl }
  const messages = yield* messagesOf({ repository, project: found.project, request, ...named, ...people })
  const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const signature = (user: UserRow) => signed({ name: user.name, email: commitEmail(user, externalUrl) }, seconds)
  const committer = signature(merger)
  const merge: Authorship = { author: committer, committer, message: wanted.mergeMessage || messages.merge }
  const squash: Authorship | undefined =
    isSquashed && row.squash_option !== "never"
      ? { author: signature(author), committer, message: worded(wanted.squashMessage) ?? messages.squash }
      : undefined
  return { method: row.merge_method, merge, squash }
})

/** The rights of the merger as they are by now. */
const currentRights = Effect.fnUntraced(function* (merging: Merging) {
  const { merger, row } = merging
  const found = yield* Projects.use((projects) => projects.find(String(row.project_id), merger.id))
  if (found === undefined) return yield* unauthorized
  const readable = { ...found, principal: principalOf({ user: merger }, found.role) }
  if (!(yield* mayMerge(readable, row))) return yield* unauthorized
  return { ...merging, found: readable }
})

/** The same with what its blocks, its discussions and its project say by now; the caller's rights stay those for the branch that was named then. */
const currentOf = Effect.fnUntraced(function* (merging: Merging) {
  const { iid, project_id, target_branch } = merging.row
  const row = yield* MergeRequestQueries.use((requests) => requests.find(project_id, iid))
  if (row === undefined) return yield* notAllowed
  return { ...merging, row: { ...row, target_branch } }
})

/** The words of the reference. */
const mergeFailed = "An error occurred while merging"
const planErrors = {
  MergeConflicts: mergeFailed,
  NothingInCommon: mergeFailed,
  TreesRefused: mergeFailed,
  RebaseNeeded: "Only fast-forward merge is allowed for your project. Please update your source branch"
} as const

const isPlanError = (tag: string): tag is keyof typeof planErrors => tag in planErrors

interface Trying {
  readonly move: Move
  /** Others were let in before, who may have changed what the merger may do. */
  readonly isLate: boolean
}

/** Plans the merge for where both branches lead, and carries it out. Fails with `RefMoved` where the target branch moved meanwhile. */
const attempt = Effect.fnUntraced(function* (merging: Merging, wanted: Wanted, { isLate, move }: Trying) {
  const { merger, row } = merging
  const key = { projectId: row.project_id, iid: row.iid }
  const { state } = yield* load(mergeRequestAggregate, key)
  if (state._tag !== "Opened") return yield* notAllowed
  const now = yield* currentOf(isLate ? yield* currentRights(merging) : merging)
  const { heads, request } = yield* judge(state, now)
  const repository = (yield* Repositories).of(row.project_id)
  const planning = planMerge(repository, { ...heads, ...(yield* orderOf(request, now, wanted)) })
  const planned = yield* planning
  // Told last, behind all that stands in the way of any head.
  if (wanted.sha !== undefined && wanted.sha !== heads.source) return yield* otherHead(heads.source)
  const { head, mergeCommit: mergeSha, squashCommit: squashSha } = planned
  yield* writePlan(repository, planned)
  const { removesSourceBranch } = wanted
  const asked = { by: merger.id, squash: wanted.squash === true, removesSourceBranch }
  const from = { headSha: heads.source, targetBranch: request.attributes.targetBranch, targetFrom: heads.target }
  const plan: Plan = { ...asked, ...from, targetTo: head, mergeSha, squashSha }
  yield* handle(mergeRequestAggregate, key, { _tag: "PlanMerge", plan })
  if (!(yield* completeMerge(key, move))) return yield* new RefMoved({ name: branchRef(row.target_branch), at: null })
})

const refused = {
  NotOpen: () => Effect.fail(notAllowed),
  NotReady: () => Effect.fail(notAllowed),
  RebaseRunning: () => Effect.fail(notAllowed),
  MergeRequestMissing: () => Effect.fail(notAllowed),
  HeadMoved: () => Effect.fail(cannotBeMerged),
  RefMoved: () => Effect.fail(cannotBeMerged),
  MergeConflicts: () => Effect.fail(cannotBeMerged),
  NothingInCommon: () => Effect.fail(cannotBeMerged),
  RebaseNeeded: () => Effect.fail(cannotBeMerged),
  TreesRefused: () => Effect.fail(cannotBeMerged),
  AlreadyMerged: () => Effect.fail(notAllowed),
  MergeRequestInvalid: Effect.die,
  MergeRequestExists: Effect.die,
  PlaceMoved: Effect.die,
  SpentTimeExceeded: Effect.die,
  SpentTimeTooLong: Effect.die,
  NotApprovable: Effect.die,
  NotApproved: Effect.die,
  ApprovalRuleInvalid: Effect.die,
  TooManyApprovalRules: Effect.die,
  ApprovalRuleMissing: Effect.die,
  GitFailed: Effect.die
} as const

const inTurn = <R>(look: Effect.Effect<void, never, R>, merging: Merging, wanted: Wanted) => {
  const { project_id, target_branch } = merging.row
  return moveFromTip(project_id, { ref: branchRef(target_branch), look }, (move, isLate) =>
    attempt(merging, wanted, { move, isLate })
  )
}

const keyOf = ({ row }: Merging): MergeRequestKey => ({ projectId: row.project_id, iid: row.iid })

/** Notes why it could not be merged, which nobody knew: a branch moved a moment ago. */
const noteFailure = (key: MergeRequestKey, { _tag }: { readonly _tag: string }) =>
  isPlanError(_tag) ? handle(mergeRequestAggregate, key, { _tag: "FailMerge", error: planErrors[_tag] }) : Effect.void

/**
 * Merges now, as the merge request was when it was refreshed last. The plan is in the log before the branch moves, so that a merge that was
 * cut short is ended as it was meant by whoever finds it. Merges into one branch take turns; where it moves all the same the merge is planned
 * anew, while nobody else may move it.
 */
export const mergeNow = (merging: Merging, wanted: Wanted) =>
  Effect.catchTags(
    Effect.tapError(inTurn(Effect.void, merging, wanted), (error) => noteFailure(keyOf(merging), error)),
    refused
  )

/** Whether all is known but what planning a merge finds out: whether there are conflicts with where the target branch leads by now. */
const isReady = Effect.fnUntraced(function* (request: MergeRequest, heads: Heads, { row }: Merging) {
  if (request.mergeability._tag === "Preparing" || hasFailed(request.mergeability) || !hasBoth(heads)) return false
  return yield* isCurrent((yield* Repositories).of(row.project_id), request, heads)
})

/** Refreshes what is not ready to be merged, and what will be refused for its squashing, which other reasons come before. */
const look = Effect.fnUntraced(function* (merging: Merging, wanted: Wanted) {
  const key = keyOf(merging)
  const request = yield* openedOf(key)
  if (request === undefined) return
  const heads = yield* headsNow(request, key)
  const isRefused = squashIsDemanded(merging.row, squashes(request, wanted))
  if (isRefused || !(yield* isReady(request, heads, merging))) yield* refresh(key)
})

/** Finds out what stands in the way of a merge that was refused. Where that is nothing, but planning it failed, it is noted why. */
const explain = Effect.fnUntraced(function* (key: MergeRequestKey, error: { readonly _tag: string }) {
  yield* Effect.ignore(refresh(key))
  const request = yield* openedOf(key)
  if (request !== undefined && !hasFailed(request.mergeability)) yield* noteFailure(key, error)
})

/** Merges as `mergeNow` does, after a look at where the branches are. Of what is refused it is found out why. */
export const merge = (merging: Merging, wanted: Wanted) => {
  const merged = inTurn(Effect.ignore(look(merging, wanted)), merging, wanted)
  return Effect.catchTags(
    Effect.tapError(merged, (error) => explain(keyOf(merging), error)),
    refused
  )
}
