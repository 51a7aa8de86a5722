import { Equal, Result } from "effect"
import { defined } from "../../kernel/defined.ts"
import { type AbortReason, type AttributeChanges, MergeRequestEvent } from "../events.ts"
import { isDraft } from "../text/drafts.ts"
import { type AbortAutoMerge, type Decision, HeadMoved, type HoldAutoMerge, NotOpen, type SetAutoMerge } from "./commands.ts"
import type { AutoMerge, MergeRequest, Present } from "./state.ts"

const { cases } = MergeRequestEvent
const nothing: Decision = Result.succeed([])
const one = (event: MergeRequestEvent): Decision => Result.succeed([event])

/** What an open merge request waits for to be merged; undefined where it is not to be merged of itself. */
const waiting = ({ _tag, request }: Present): AutoMerge | undefined => (_tag === "Opened" ? request.autoMerge : undefined)

const isSame = ({ heldFor, turn, ...before }: AutoMerge, { _tag, squash, ...set }: SetAutoMerge): boolean =>
  Equal.equals(before, set)

/** Setting it again with other words takes the place of what was set before. */
export const setAutoMerge = (command: SetAutoMerge, { _tag, request }: Present): Decision => {
  if (_tag !== "Opened") return Result.fail(new NotOpen())
  const headSha = request.version?.headSha
  if (headSha !== command.headSha) return Result.fail(new HeadMoved({ headSha }))
  const { attributes, autoMerge } = request
  const { _tag: _, ...set } = command
  if (autoMerge !== undefined && isSame(autoMerge, command) && (attributes.squash || !command.squash)) return nothing
  return one(cases.AutoMergeSet.make(set))
}

export const cancelAutoMerge = (by: number, state: Present): Decision =>
  waiting(state) === undefined ? nothing : one(cases.AutoMergeCanceled.make({ by }))

/** That it is not merged of itself any more, where it was going to be. */
export const aborted = (state: Present, reason: AbortReason, by?: number): ReadonlyArray<MergeRequestEvent> =>
  waiting(state) === undefined ? [] : [cases.AutoMergeAborted.make({ reason, ...defined({ by }) })]

/** What was set since for another commit, branch or by another user goes on. */
export const abortAutoMerge = ({ _tag, of, ...why }: AbortAutoMerge, state: Present): ReadonlyArray<MergeRequestEvent> => {
  const autoMerge = waiting(state)
  const { headSha, setBy, targetBranch } = of
  const isOther =
    (headSha !== undefined && headSha !== autoMerge?.headSha) ||
    (setBy !== undefined && setBy !== autoMerge?.by) ||
    (targetBranch !== undefined && targetBranch !== state.request.attributes.targetBranch)
  return autoMerge === undefined || isOther ? [] : [cases.AutoMergeAborted.make(why)]
}

/** It is told each time, for whoever looks at it just now may not have seen what has come. */
export const wakeAutoMerge = (state: Present): ReadonlyArray<MergeRequestEvent> =>
  waiting(state) === undefined ? [] : [cases.AutoMergeDue.make({})]

/** What was decided, after which it is due again where that changes anything. */
export const dueAfter = (decision: Decision, state: Present): Decision =>
  Result.map(decision, (events) => (events.length > 0 ? [...events, ...wakeAutoMerge(state)] : events))

/** What a check may put right. */
const ofBranches: ReadonlySet<string> = new Set(["preparing", "unchecked", "checking", "commits_status", "conflict"])

const fits = ({ mergeability }: MergeRequest): boolean => mergeability._tag === "Checked" && mergeability.verdict === "mergeable"

/** What was found before it was due again, or set anew, is dropped, and so is what a check has put right meanwhile. */
export const holdAutoMerge = ({ of, reason }: HoldAutoMerge, state: Present): Decision => {
  const autoMerge = waiting(state)
  if (autoMerge === undefined || !Equal.equals(autoMerge, of) || autoMerge.heldFor === reason) return nothing
  return ofBranches.has(reason) && fits(state.request) ? nothing : one(cases.AutoMergeHeld.make({ reason }))
}

/** It is due again when a check finds what it waited for. */
export const afterCheck = (state: Present, isMergeable: boolean): ReadonlyArray<MergeRequestEvent> =>
  isMergeable && ofBranches.has(waiting(state)?.heldFor ?? "") ? wakeAutoMerge(state) : []

/** It is aborted by another target branch, and due again when it is no draft any more, or squashed as its project may demand. */
export const afterChange = (state: Present, changes: AttributeChanges, by: number): ReadonlyArray<MergeRequestEvent> => {
  if (changes.targetBranch !== undefined) return aborted(state, "target_branch_changed", by)
  const { title } = state.request.attributes
  const isReady = changes.title !== undefined && isDraft(title) && !isDraft(changes.title)
  return isReady || changes.squash === true ? wakeAutoMerge(state) : []
}
