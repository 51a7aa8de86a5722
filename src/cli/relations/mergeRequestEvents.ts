import { zeroId } from "../../git/objectId.ts"
import { approvalsLeft } from "../../mergeRequests/decisions/approvals.ts"
import { MergeRequestEvent, type Verdict } from "../../mergeRequests/events.ts"
import type { Past } from "../../platform/recordPast.ts"
import { type Import, inOrder } from "./Import.ts"
import { uniqueUsers } from "./issues.ts"
import { type LabelingIds, labelsChanged, milestonesChanged, type Told } from "./mergeRequestLabeling.ts"
import type { MergeRequest, Person, StateEvent } from "./shapes/issuables.ts"
import { millis } from "./shapes/values.ts"

const { cases } = MergeRequestEvent

/** The ids that a merge request gets with what belongs to it. */
export interface NewIds extends LabelingIds {
  readonly id: number
  readonly versionId: number
}

/** The version of a merge request; undefined where it has none. */
export const versionOf = ({ merge_request_diff: diff, target_branch: targetBranch }: MergeRequest) => {
  const { base_commit_sha: baseSha = null, head_commit_sha: headSha = null } = diff ?? {}
  if (diff === null || baseSha === null || headSha === null) return undefined
  const { commits_count, files_count, real_size, start_commit_sha } = diff
  return {
    at: millis(diff.created_at),
    targetBranch,
    headSha,
    baseSha,
    startSha: start_commit_sha ?? baseSha,
    files: files_count ?? Number.parseInt(real_size ?? "0", 10),
    isCut: real_size?.endsWith("+") === true,
    commits: commits_count ?? 0,
    patchId: null
  }
}

/** Where its source branch led when it was exported. */
export const headOf = ({ diff_head_sha, merge_request_diff, source_branch_sha }: MergeRequest): string =>
  diff_head_sha ?? merge_request_diff?.head_commit_sha ?? source_branch_sha ?? zeroId

/** The source is in the same project, or in one that is not here, for which 0 stands. */
export const sourceOf = ({ projectId }: Import, record: MergeRequest) => ({
  projectId: record.source_project_id === record.target_project_id ? projectId : 0,
  branch: record.source_branch
})

/** Those who had a role at a time, in their order. */
const peopleAt = (to: Import, people: ReadonlyArray<Person>, at: number): ReadonlyArray<number> =>
  uniqueUsers(
    to,
    people.flatMap(({ created_at, user_id }) => (created_at === null || millis(created_at) <= at ? [user_id] : []))
  )

const attributesOf = (to: Import, record: MergeRequest) => {
  const createdAt = millis(record.created_at)
  return {
    title: record.title,
    description: record.description,
    targetBranch: record.target_branch,
    assigneeIds: peopleAt(to, record.merge_request_assignees, createdAt),
    reviewerIds: peopleAt(to, record.merge_request_reviewers, createdAt),
    squash: record.squash,
    removesSourceBranch: record.merge_params?.force_remove_source_branch ?? false,
    allowsCollaboration: record.allow_maintainer_to_push,
    isDiscussionLocked: record.discussion_locked
  }
}

const opened = (to: Import, { id }: NewIds, record: MergeRequest): Past<MergeRequestEvent> => {
  const by = to.people.of(record.author_id)
  const required = record.approvals_before_merge
  const event = cases.MergeRequestOpened.make({
    id,
    authorId: by,
    source: sourceOf(to, record),
    sourceSha: headOf(record),
    ...(required === null ? {} : { approvalsBeforeMerge: required }),
    ...attributesOf(to, record)
  })
  return { event, at: millis(record.created_at), by }
}

const prepared = (to: Import, { versionId }: NewIds, record: MergeRequest): Told => {
  const by = to.people.of(record.author_id)
  const { at = 0, ...version } = versionOf(record) ?? {}
  const added =
    "headSha" in version
      ? [{ event: cases.VersionAdded.make({ id: versionId, ...version, commitShas: [version.headSha] }), at, by }]
      : []
  return [...added, { event: cases.MergeRequestPrepared.make({}), at: millis(record.created_at), by }]
}

/** Those who came into a role later, at each time that is told. */
const laterPeople = (to: Import, record: MergeRequest, role: "assigneeIds" | "reviewerIds"): Told => {
  const people = role === "assigneeIds" ? record.merge_request_assignees : record.merge_request_reviewers
  const times = people.flatMap(({ created_at }) => (created_at === null ? [] : [millis(created_at)]))
  const createdAt = millis(record.created_at)
  const later = [...new Set(times.filter((at) => at > createdAt))].sort((some, other) => some - other)
  const by = to.people.of(record.author_id)
  return later.map((at, index) => {
    const before = peopleAt(to, people, later[index - 1] ?? createdAt)
    return {
      event: cases.MergeRequestChanged.make({ changes: { [role]: peopleAt(to, people, at) }, before: { [role]: before } }),
      at,
      by
    }
  })
}

const timeTold = (to: Import, record: MergeRequest): Told => {
  const author = to.people.of(record.author_id)
  const seconds = record.time_estimate ?? 0
  const estimated = { event: cases.TimeEstimated.make({ seconds }), at: millis(record.created_at), by: author }
  let total = 0
  const spent = record.timelogs.map(({ created_at, summary, time_spent, user_id }) => {
    const by = to.people.of(user_id)
    total += time_spent
    return { event: cases.TimeSpent.make({ by, seconds: time_spent, total, summary }), at: millis(created_at), by }
  })
  return seconds === 0 ? spent : [estimated, ...spent]
}

const approved = (to: Import, record: MergeRequest): Told => {
  const required = record.approvals_before_merge ?? 0
  const approvedBy: Array<number> = []
  return record.approvals.flatMap(({ created_at, user_id }): Told => {
    const by = to.people.of(user_id)
    if (approvedBy.includes(by)) return []
    approvedBy.push(by)
    const left = approvalsLeft({ required, approvedBy, rules: [] })
    return [{ event: cases.MergeRequestApproved.make({ by, left }), at: millis(created_at), by }]
  })
}

/** What was known of whether it can be merged; nothing where that was not known. */
const checked = (record: MergeRequest, at: number, by: number): Told => {
  const version = versionOf(record)
  const status = record.merge_status ?? ""
  const verdict: Verdict | undefined =
    status === "can_be_merged" ? "mergeable" : status.startsWith("cannot_be_merged") ? "conflict" : undefined
  if (version === undefined || verdict === undefined) return []
  const found = {
    headSha: headOf(record),
    targetSha: version.startSha,
    verdict,
    isFastForward: version.startSha === version.baseSha
  }
  const outdated = status === "cannot_be_merged_recheck" ? [{ event: cases.MergeabilityOutdated.make({}), at, by }] : []
  return [{ event: cases.MergeabilityChecked.make(found), at, by }, ...outdated]
}

const merged = (record: MergeRequest, { created_at, source_commit }: StateEvent, by: number): Told => {
  const at = millis(created_at)
  const [mergeSha, squashSha] = [record.merge_commit_sha, record.squash_commit_sha]
  const { force_remove_source_branch = false, should_remove_source_branch = null } = record.merge_params ?? {}
  const version = versionOf(record)
  const headSha = headOf(record)
  const plan = cases.MergePlanned.make({
    by,
    headSha,
    targetBranch: record.target_branch,
    targetFrom: version?.startSha ?? headSha,
    targetTo: mergeSha ?? squashSha ?? headSha,
    mergeSha,
    squashSha,
    squash: record.squash,
    removesSourceBranch: should_remove_source_branch
  })
  // Of what came into the target branch by another commit that commit is told.
  const how =
    source_commit === null
      ? { removesSourceBranch: should_remove_source_branch ?? force_remove_source_branch }
      : { targetSha: source_commit }
  return [
    ...checked(record, at, by),
    ...(should_remove_source_branch === null ? [] : [{ event: plan, at, by }]),
    { event: cases.MergeRequestMerged.make({ by, mergeSha, squashSha, ...how }), at, by }
  ]
}

const stateChange = (to: Import, record: MergeRequest, event: StateEvent): Told => {
  const by = to.people.of(event.user_id)
  const at = millis(event.created_at)
  if (event.state === "closed") return [{ event: cases.MergeRequestClosed.make({ by }), at, by }]
  if (event.state === "reopened") return [{ event: cases.MergeRequestReopened.make({ by }), at, by }]
  return event.state === "merged" ? merged(record, event, by) : []
}

/** The states to which the changes that are told lead. */
const stateAfter: Readonly<Record<string, MergeRequest["state"]>> = { closed: "closed", merged: "merged", reopened: "opened" }

/** The changes of state that are told, and the last one where they do not tell of it. One that was being merged is open. */
const stateChanges = (to: Import, record: MergeRequest): Told => {
  const events = record.resource_state_events.filter(({ state }) => state in stateAfter)
  const told = events.flatMap((event) => stateChange(to, record, event))
  const state = record.state === "locked" ? "opened" : record.state
  if ((stateAfter[events.at(-1)?.state ?? ""] ?? "opened") === state) return told
  const at = (state === "merged" ? record.metrics?.merged_at : record.metrics?.latest_closed_at) ?? record.updated_at
  const { latest_closed_by_id = null, merged_by_id = null } = record.metrics ?? {}
  const userId = state === "merged" ? (record.merge_user_id ?? merged_by_id) : latest_closed_by_id
  const last = { user_id: userId, created_at: at, source_commit: null }
  return [...told, ...stateChange(to, record, { ...last, state: state === "opened" ? "reopened" : state })]
}

/** What is known of one that was not merged, after all else. */
const openEnd = (to: Import, record: MergeRequest): Told => {
  const [at, by] = [millis(record.updated_at), to.people.of(record.author_id)]
  if (record.state === "merged") return []
  const { merge_error: error } = record
  const failed = error === null || record.state === "closed" ? [] : [{ event: cases.MergeFailed.make({ error }), at, by }]
  return [...failed, ...checked(record, at, by)]
}

/** These leave alone when it was changed last. */
const untouching: ReadonlySet<MergeRequestEvent["_tag"]> = new Set([
  "VersionAdded",
  "MergeRequestPrepared",
  "MergeabilityChecked",
  "MergeabilityOutdated",
  "MergePlanned",
  "MergeFailed",
  "MergeRequestApproved"
])

/** All that is told of a merge request but for its notes. */
export const eventsOf = (to: Import, ids: NewIds, record: MergeRequest): Told => {
  const happened = inOrder([
    opened(to, ids, record),
    ...prepared(to, ids, record),
    ...timeTold(to, record),
    ...laterPeople(to, record, "assigneeIds"),
    ...laterPeople(to, record, "reviewerIds"),
    ...labelsChanged(to, ids, record),
    ...milestonesChanged(to, ids, record),
    ...approved(to, record),
    ...stateChanges(to, record),
    ...openEnd(to, record)
  ])
  const at = millis(record.updated_at)
  if (happened.findLast(({ event }) => !untouching.has(event._tag))?.at === at) return happened
  return [...happened, { event: cases.MergeRequestChanged.make({ changes: {} }), at, by: to.people.of(record.author_id) }]
}
