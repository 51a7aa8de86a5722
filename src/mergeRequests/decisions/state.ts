import type { IssueKey } from "../../issues/ids.ts"
import {
  type AttributeChanges,
  type Attributes,
  MergeRequestEvent,
  type Plan,
  type RebasePlan,
  type Source,
  type Verdict,
  type Version
} from "../events.ts"
import type { Approvals } from "./approvals.ts"
import { labelsAfter } from "./labeling.ts"

/** Whether it can be merged: not known before its first version, nor after a branch moved. */
export type Mergeability =
  | { readonly _tag: "Preparing" }
  | { readonly _tag: "Unchecked"; readonly failedBefore: boolean }
  | {
      readonly _tag: "Checked"
      readonly verdict: Verdict
      readonly isFastForward: boolean
      readonly headSha: string | null
      readonly targetSha: string | null
    }

/** A rebase that is to be done, and where the source branch moves, once that is known. The time is in milliseconds since 1970. */
export interface Rebase {
  /** Tells it apart from other ones of the merge request. */
  readonly number: number
  readonly by: number
  readonly at: number
  readonly skipsPipelines: boolean
  readonly plan: RebasePlan | undefined
}

/** What was set so that it is merged of itself. */
export interface AutoMerge {
  readonly by: number
  readonly headSha: string
  readonly mergeMessage: string | null
  readonly squashMessage: string | null
  readonly removesSourceBranch: boolean | null
  /** What it waits for; undefined while it is due. */
  readonly heldFor: string | undefined
  /** How often it has become due since it was set. */
  readonly turn: number
}

export interface MergeRequest {
  readonly id: number
  readonly authorId: number
  readonly source: Source
  /** The commit to which the source branch led when it was opened. */
  readonly sourceSha: string
  readonly attributes: Attributes
  readonly labelIds: ReadonlyArray<number>
  readonly milestoneId: number | null
  /** The last version; undefined before the first. */
  readonly version: Version | undefined
  readonly isPrepared: boolean
  /** What it closes when it is merged; undefined until that is known of its texts and commits. */
  readonly issuesToClose: ReadonlyArray<IssueKey> | undefined
  readonly mergeability: Mergeability
  /** Undefined where it is not to be merged of itself. */
  readonly autoMerge: AutoMerge | undefined
  readonly mergeError: string | null
  /** Why it could not be found out whether it can be merged; null where it was, or was not tried yet. */
  readonly checkError: string | null
  /** In seconds, as the time that was spent. */
  readonly timeEstimate: number
  readonly timeSpent: number
  /** How many rebases were asked for. */
  readonly rebases: number
  /** The one that is under way; undefined for none. */
  readonly rebase: Rebase | undefined
  readonly approvals: Approvals
}

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Opened"; readonly request: MergeRequest }
  | { readonly _tag: "Locked"; readonly request: MergeRequest; readonly plan: Plan }
  | { readonly _tag: "Closed"; readonly request: MergeRequest }
  | { readonly _tag: "Merged"; readonly request: MergeRequest }
  | { readonly _tag: "Deleted" }

export const initial: State = { _tag: "Absent" }

/** The commit to which the source branch led when it was last looked at. */
export const headOf = ({ sourceSha, version }: MergeRequest): string => version?.headSha ?? sourceSha

/** The states in which there is a merge request. */
export type Present = Extract<State, { readonly request: MergeRequest }>

export const isPresent = (state: State): state is Present => "request" in state

/** Whether a merge request is open, or being merged, and into which branch it leads. */
export interface Place {
  readonly isOpen: boolean
  readonly targetBranch: string
}

export const placeIn = ({ _tag, request }: Present): Place => ({
  isOpen: _tag === "Opened" || _tag === "Locked",
  targetBranch: request.attributes.targetBranch
})

type Opened = Extract<MergeRequestEvent, { readonly _tag: "MergeRequestOpened" }>

const opened = ({ _tag, approvalsBeforeMerge, authorId, id, source, sourceSha, ...attributes }: Opened): State => ({
  _tag: "Opened",
  request: {
    id,
    authorId,
    source,
    sourceSha,
    attributes,
    labelIds: [],
    milestoneId: null,
    version: undefined,
    isPrepared: false,
    issuesToClose: undefined,
    mergeability: { _tag: "Preparing" },
    autoMerge: undefined,
    mergeError: null,
    checkError: null,
    timeEstimate: 0,
    timeSpent: 0,
    rebases: 0,
    rebase: undefined,
    approvals: { required: approvalsBeforeMerge ?? 0, approvedBy: [], rules: [] }
  }
})

/** Whether it could not be merged when that was found out last. */
export const hasFailed = (mergeability: Mergeability): boolean =>
  (mergeability._tag === "Checked" && mergeability.verdict !== "mergeable") ||
  (mergeability._tag === "Unchecked" && mergeability.failedBefore)

const outdated = (mergeability: Mergeability): Mergeability => ({ _tag: "Unchecked", failedBefore: hasFailed(mergeability) })

/**
 * What is known of the issues to close once its texts or commits are others: nothing, so that it is found out anew. But it stays as it was
 * once it is closed or merged, and while it waits to be merged of itself, for others would let whoever said so close what they write.
 */
const issuesAnew = ({ _tag, request: { autoMerge, issuesToClose } }: Present) =>
  _tag === "Opened" && autoMerge === undefined ? undefined : issuesToClose

/** The same after a change of attributes. What was not known when it was to be merged of itself is none. */
const issuesAfter = ({ description, title }: AttributeChanges, state: Present) => {
  const { autoMerge, issuesToClose } = state.request
  if (title === undefined && description === undefined) return issuesToClose
  return autoMerge === undefined ? issuesAnew(state) : (issuesToClose ?? [])
}

const takenOver = (attributes: Attributes, squash: boolean): Attributes => ({
  ...attributes,
  squash: attributes.squash || squash
})

/** Events of a merge request that is not there change nothing, and a deleted one stays deleted. */
export const evolve = (state: State, event: MergeRequestEvent): State => {
  if (event._tag === "MergeRequestOpened") return state._tag === "Absent" ? opened(event) : state
  if (!isPresent(state)) return state
  const { request } = state
  const changed = (changes: Partial<MergeRequest>): State => ({ ...state, request: { ...request, ...changes } })
  const { approvals } = request
  const approved = (changes: Partial<Approvals>): State => changed({ approvals: { ...approvals, ...changes } })
  const { autoMerge } = request
  const waiting = (changes: Partial<AutoMerge>): State =>
    autoMerge ? changed({ autoMerge: { ...autoMerge, ...changes } }) : state
  const stopWaiting = (): State =>
    changed({ autoMerge: undefined, issuesToClose: state._tag === "Opened" ? undefined : request.issuesToClose })
  return MergeRequestEvent.match(event, {
    MergeRequestOpened: (): State => state,
    MergeRequestChanged: ({ changes }) =>
      changed({
        attributes: { ...request.attributes, ...changes },
        issuesToClose: issuesAfter(changes, state),
        mergeability: changes.targetBranch === undefined ? request.mergeability : outdated(request.mergeability)
      }),
    MergeRequestLabelsChanged: ({ addedIds, removedIds }) =>
      changed({ labelIds: labelsAfter(request.labelIds, { added: addedIds, removed: removedIds }) }),
    MergeRequestMilestoneChanged: ({ to }) => changed({ milestoneId: to }),
    MergeRequestClosed: (): State => ({ _tag: "Closed", request: { ...request, mergeError: null, rebase: undefined } }),
    MergeRequestReopened: (): State => ({
      _tag: "Opened",
      request: { ...request, mergeability: outdated(request.mergeability), issuesToClose: undefined }
    }),
    VersionAdded: ({ _tag, by, commitShas, id, pipelineId, pushed, ...version }) =>
      changed({ version, mergeError: null, mergeability: outdated(request.mergeability), issuesToClose: issuesAnew(state) }),
    IssuesToCloseFound: ({ issues }) => changed({ issuesToClose: issues }),
    MergeRequestPrepared: () => changed({ isPrepared: true }),
    MergeabilityOutdated: () => changed({ mergeability: outdated(request.mergeability) }),
    MergeabilityChecked: ({ _tag, failedBefore, ...checked }) =>
      changed({ mergeability: { _tag: "Checked", ...checked }, checkError: null }),
    MergeabilityCheckFailed: ({ error }) => changed({ checkError: error }),
    MergePlanned: ({ _tag, ...plan }): State => ({
      _tag: "Locked",
      request: { ...request, attributes: takenOver(request.attributes, plan.squash) },
      plan
    }),
    MergeRequestMerged: (): State => ({ _tag: "Merged", request: { ...request, mergeError: null, rebase: undefined } }),
    MergeFailed: ({ error }): State => ({
      _tag: "Opened",
      request: { ...request, mergeError: error, mergeability: outdated(request.mergeability) }
    }),
    MergeRequestDeleted: (): State => ({ _tag: "Deleted" }),
    AutoMergeSet: ({ _tag, squash, ...set }) =>
      changed({ autoMerge: { ...set, heldFor: undefined, turn: 0 }, attributes: takenOver(request.attributes, squash) }),
    AutoMergeCanceled: stopWaiting,
    AutoMergeAborted: stopWaiting,
    AutoMergeDue: () => waiting({ heldFor: undefined, turn: (autoMerge?.turn ?? 0) + 1 }),
    AutoMergeHeld: ({ reason }) => waiting({ heldFor: reason }),
    TimeEstimated: ({ seconds }) => changed({ timeEstimate: seconds }),
    TimeSpent: ({ total }) => changed({ timeSpent: total }),
    SpentTimeReset: () => changed({ timeSpent: 0 }),
    RebaseRequested: ({ _tag, ...asked }) => {
      const number = request.rebases + 1
      return changed({ rebases: number, rebase: { number, ...asked, plan: undefined } })
    },
    RebasePlanned: ({ _tag, ...plan }) => changed({ rebase: request.rebase && { ...request.rebase, plan } }),
    MergeRequestRebased: () => changed({ rebase: undefined, mergeError: null }),
    RebaseFailed: ({ error }) => changed({ rebase: undefined, mergeError: error }),
    MergeRequestApproved: ({ by }) => approved({ approvedBy: [...approvals.approvedBy, by] }),
    MergeRequestUnapproved: ({ by }) => approved({ approvedBy: approvals.approvedBy.filter((id) => id !== by) }),
    ApprovalsReset: () => approved({ approvedBy: [] }),
    ApprovalRuleAdded: ({ _tag, left, ...rule }) => approved({ rules: [...approvals.rules, rule] }),
    ApprovalRuleRemoved: ({ id }) => approved({ rules: approvals.rules.filter((rule) => rule.id !== id) })
  })
}
