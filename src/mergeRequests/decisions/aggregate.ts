import { Equal, Result, Struct } from "effect"
import { defined } from "../../kernel/defined.ts"
import { effectiveChanges } from "../../kernel/effectiveChanges.ts"
import type { Aggregate } from "../../platform/Aggregate.ts"
import { type AttributeChanges, type Attributes, MergeRequestEvent, mergeRequestCodec } from "../events.ts"
import { type MergeRequestKey, mergeRequestStream } from "../ids.ts"
import { isDraft, markDraft } from "../text/drafts.ts"
import { approvalsLeft } from "./approvals.ts"
import {
  type AddVersion,
  type Check,
  type Command,
  type Decision,
  type GiveUpMerge,
  HeadMoved,
  type IssuesFound,
  MergeRequestExists,
  MergeRequestInvalid,
  MergeRequestMissing,
  type NoteMerge,
  NotOpen,
  NotReady,
  type Open,
  type OutdateMergeability,
  PlaceMoved,
  type PlanMerge,
  RebaseRunning,
  type Refusal,
  type Update
} from "./commands.ts"
import { addApprovalRule, approve, removeApprovalRule, resetApprovals, unapprove, withoutApprovals } from "./decideApprovals.ts"
import {
  abortAutoMerge,
  aborted,
  afterChange,
  afterCheck,
  cancelAutoMerge,
  dueAfter,
  holdAutoMerge,
  setAutoMerge,
  wakeAutoMerge
} from "./decideAutoMerge.ts"
import { endRebase, planRebase, requestRebase } from "./decideRebase.ts"
import { decideTime, withTime } from "./decideTime.ts"
import { attributeFaults, openingFaults } from "./faults.ts"
import { labelingEvents, labelingFaults, unlabeled } from "./labeling.ts"
import { evolve, hasFailed, initial, isPresent, type MergeRequest, type Present, placeIn, type State } from "./state.ts"

const { cases } = MergeRequestEvent
const nothing: Decision = Result.succeed([])
const one = (event: MergeRequestEvent): Decision => Result.succeed([event])

const open = ({ _tag, attributes, labeling, time, ...opening }: Open): Decision => {
  const labelFaults = labeling === undefined ? [] : labelingFaults(labeling, unlabeled)
  const faults = [...openingFaults({ attributes, ...opening }), ...labelFaults]
  if (faults.length > 0) return Result.fail(new MergeRequestInvalid({ faults }))
  const circumstances = { by: opening.authorId, state: "opened" } as const
  const labeled = labeling === undefined ? [] : labelingEvents(labeling, unlabeled, circumstances)
  return Result.succeed([cases.MergeRequestOpened.make({ ...opening, ...attributes }), ...labeled])
}

/** A transition from another state than the one it is for changes nothing. Nobody reopens what is locked for discussion. */
const transitionOf = ({ by, goneBranch, transition }: Update, state: Present): ReadonlyArray<MergeRequestEvent> => {
  const { _tag, request } = state
  if (transition === "close" && _tag === "Opened")
    return [cases.MergeRequestClosed.make(defined({ by, goneBranch })), ...aborted(state, "closed", by)]
  const isLocked = request.attributes.isDiscussionLocked === true
  return transition === "reopen" && _tag === "Closed" && !isLocked ? [cases.MergeRequestReopened.make({ by })] : []
}

/** Where it is merged into stays as it is from the moment at which a merge begins. */
const changesIn = (changes: AttributeChanges, { _tag, request: { attributes } }: Present): AttributeChanges => {
  const { targetBranch, ...others } = effectiveChanges(changes, attributes)
  return _tag === "Locked" || _tag === "Merged" ? others : defined({ ...others, targetBranch })
}

const stateNames = { Opened: "opened", Locked: "locked", Closed: "closed", Merged: "merged" } as const

const changeOf = (changes: AttributeChanges, attributes: Attributes) => {
  const { description: _, ...before } = Struct.pick(attributes, Struct.keys(changes))
  return cases.MergeRequestChanged.make({ changes, before })
}

const update = (command: Update, state: Present): Decision => {
  const { approvals, attributes } = state.request
  if (command.from !== undefined && !Equal.equals(command.from, placeIn(state))) return Result.fail(new PlaceMoved())
  const changes = changesIn(command.changes, state)
  const { by, labeling } = command
  const faults = [
    ...attributeFaults({ ...attributes, ...changes }),
    ...(labeling === undefined ? [] : labelingFaults(labeling, state.request))
  ]
  if (faults.length > 0) return Result.fail(new MergeRequestInvalid({ faults }))
  const gone = defined({ goneBranch: changes.targetBranch === undefined ? undefined : command.goneBranch })
  const changed = Object.keys(changes).length === 0 ? [] : [{ ...changeOf(changes, attributes), ...gone }]
  const labeled = labeling === undefined ? [] : labelingEvents(labeling, state.request, { by, state: stateNames[state._tag] })
  // What was approved was to come into another branch.
  const reset = changes.targetBranch === undefined ? [] : withoutApprovals(approvals)
  const transition = transitionOf(command, state)
  const after = transition.length === 0 ? afterChange(state, changes, command.by) : []
  return Result.succeed([...transition, ...changed, ...labeled, ...reset, ...after])
}

/** A title that would be too long stays as it is. */
const draftOf = ({ attributes }: MergeRequest, draftCommit: string): ReadonlyArray<MergeRequestEvent> => {
  const title = markDraft(attributes.title)
  if (title === attributes.title || attributeFaults({ ...attributes, title }).length > 0) return []
  return [{ ...changeOf({ title }, attributes), draftCommit }]
}

/** What was merged has no more versions, and what is closed gets one when it is opened again. */
const addVersion = ({ _tag: _, draftCommit, previous, version, ...added }: AddVersion, state: Present): Decision => {
  const { _tag, request } = state
  if (_tag !== "Opened" || version.targetBranch !== request.attributes.targetBranch) return nothing
  if (!Equal.equals(request.version, previous) || Equal.equals(previous, version)) return nothing
  const draft = draftCommit === undefined ? [] : draftOf(request, draftCommit)
  const isOther = request.autoMerge?.headSha !== version.headSha
  const stopped = isOther ? aborted(state, "source_branch_updated", added.by) : []
  return Result.succeed([cases.VersionAdded.make({ ...added, ...version }), ...draft, ...stopped])
}

/** A push may be told of late, when the heads that it made are looked at already. That a branch is gone has to be looked at anyway. */
const outdateMergeability = ({ moved }: OutdateMergeability, { _tag, request }: Present): Decision => {
  const { attributes, mergeability, source } = request
  if (_tag !== "Opened" || mergeability._tag !== "Checked") return nothing
  const { headSha, targetSha } = mergeability
  const isKnown = (tips: ReadonlyMap<string, string | null>, branch: string, sha: string | null): boolean =>
    !tips.has(branch) || (sha !== null && tips.get(branch) === sha)
  if (moved !== undefined && isKnown(moved.source, source.branch, headSha)) {
    if (isKnown(moved.target, attributes.targetBranch, targetSha)) return nothing
  }
  return one(cases.MergeabilityOutdated.make({}))
}

/** Once the branches have been looked at it is prepared, whatever was found. */
const finishPreparation = ({ isPrepared }: MergeRequest): ReadonlyArray<MergeRequestEvent> =>
  isPrepared ? [] : [cases.MergeRequestPrepared.make({})]

/** What is not known of the version there is cannot be known of any, but that a branch is missing. */
const isOfVersion = ({ headSha, verdict }: Check, { version }: MergeRequest): boolean =>
  verdict === "branch_missing" || (version !== undefined && headSha === version.headSha)

const check = (command: Check, state: Present): Decision => {
  const { _tag, request } = state
  const { attributes, mergeability } = request
  const { _tag: _, targetBranch, ...checked } = command
  if (_tag !== "Opened" || targetBranch !== attributes.targetBranch || !isOfVersion(command, request)) return nothing
  if (mergeability._tag === "Checked" && Equal.equals(mergeability, { _tag: "Checked", ...checked })) return nothing
  const told = hasFailed(mergeability) ? { ...checked, failedBefore: true } : checked
  const after = afterCheck(state, checked.verdict === "mergeable")
  return Result.succeed([cases.MergeabilityChecked.make(told), ...finishPreparation(request), ...after])
}

const failCheck = (error: string, { _tag, request }: Present): Decision =>
  _tag === "Opened" && request.checkError !== error ? one(cases.MergeabilityCheckFailed.make({ error })) : nothing

/** Rights were judged for the branch of the plan; what else was judged of this merge request may be otherwise by now. */
const planMerge = ({ plan }: PlanMerge, { _tag, request }: Present): Decision => {
  if (_tag !== "Opened") return Result.fail(new NotOpen())
  if (request.rebase !== undefined) return Result.fail(new RebaseRunning())
  const headSha = request.version?.headSha
  const isOfNow = headSha === plan.headSha && request.attributes.targetBranch === plan.targetBranch
  if (!isOfNow) return Result.fail(new HeadMoved({ headSha }))
  const isReady = !isDraft(request.attributes.title) && approvalsLeft(request.approvals) === 0
  return isReady ? one(cases.MergePlanned.make(plan)) : Result.fail(new NotReady())
}

const noteMerge = ({ by, mergeSha, squashSha, targetSha }: NoteMerge, state: Present): Decision => {
  if (state._tag !== "Opened" && state._tag !== "Locked") return nothing
  const merged = { by, mergeSha, squashSha }
  if (state._tag === "Opened") return one(cases.MergeRequestMerged.make({ ...merged, ...defined({ targetSha }) }))
  const removesSourceBranch = state.plan.removesSourceBranch ?? state.request.attributes.removesSourceBranch
  return one(cases.MergeRequestMerged.make({ ...merged, removesSourceBranch }))
}

const failMerge = (error: string, { _tag, request }: Present): Decision =>
  _tag === "Opened" && request.mergeError !== error ? one(cases.MergeFailed.make({ error })) : nothing

const giveUpMerge = ({ error, targetTo }: GiveUpMerge, state: Present): Decision =>
  state._tag === "Locked" && state.plan.targetTo === targetTo ? one(cases.MergeFailed.make({ error })) : nothing

const noteIssuesToClose = (found: IssuesFound, { _tag, request }: Present): Decision => {
  const { attributes, issuesToClose, version } = request
  const isOfNow =
    found.title === attributes.title && found.description === attributes.description && found.headSha === version?.headSha
  if (_tag === "Closed" || _tag === "Locked" || issuesToClose !== undefined || !isOfNow) return nothing
  return one(cases.IssuesToCloseFound.make({ issues: found.issues }))
}

/** Notes with a change what the merge request closes after it. */
const withIssues = (decision: Decision, before: Present, found: IssuesFound | undefined): Decision =>
  Result.flatMap(decision, (events) => {
    const after = events.reduce<State>(evolve, before)
    if (found === undefined || !isPresent(after)) return decision
    return Result.map(noteIssuesToClose(found, after), (noted) => [...events, ...noted])
  })

const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Open")
    return state._tag === "Absent" ? withTime(open(command), state, command.time) : Result.fail(new MergeRequestExists())
  if (!isPresent(state)) return Result.fail(new MergeRequestMissing())
  const { request } = state
  switch (command._tag) {
    case "Update":
      return withIssues(withTime(update(command, state), state, command.time), state, command.closing)
    case "AddVersion":
      return addVersion(command, state)
    case "FinishPreparation":
      return Result.succeed(finishPreparation(request))
    case "OutdateMergeability":
      return outdateMergeability(command, state)
    case "FailCheck":
      return failCheck(command.error, state)
    case "Check":
      return check(command, state)
    case "PlanMerge":
      return planMerge(command, state)
    case "NoteMerge":
      return noteMerge(command, state)
    case "GiveUpMerge":
      return giveUpMerge(command, state)
    case "FailMerge":
      return failMerge(command.error, state)
    case "SetAutoMerge":
      return setAutoMerge(command, state)
    case "CancelAutoMerge":
      return cancelAutoMerge(command.by, state)
    case "AbortAutoMerge":
      return Result.succeed(abortAutoMerge(command, state))
    case "WakeAutoMerge":
      return Result.succeed(wakeAutoMerge(state))
    case "HoldAutoMerge":
      return holdAutoMerge(command, state)
    case "EstimateTime":
    case "SpendTime":
    case "ResetSpentTime":
      return decideTime(command, request)
    case "NoteIssuesToClose":
      return noteIssuesToClose(command, state)
    case "Delete":
      return one(cases.MergeRequestDeleted.make({}))
    case "RequestRebase":
      return requestRebase(command, state)
    case "PlanRebase":
      return planRebase(command, request)
    case "EndRebase":
      return dueAfter(endRebase(command, request), state)
    case "Approve":
      return dueAfter(approve(command, state), state)
    case "Unapprove":
      return unapprove(command.by, state)
    case "ResetApprovals":
      return resetApprovals(state)
    case "AddApprovalRule":
      return addApprovalRule(command, state)
    case "RemoveApprovalRule":
      return dueAfter(removeApprovalRule(command.id, state), state)
  }
}

export const mergeRequestAggregate: Aggregate<MergeRequestKey, Command, State, MergeRequestEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: mergeRequestCodec,
  stream: mergeRequestStream
}
