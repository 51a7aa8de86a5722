import { readFileSync } from "node:fs"
import { defined } from "#src/kernel/defined.ts"
import { snakeCased } from "#src/kernel/letterCase.ts"
import { MergeRequestEvent, mergeRequestCodec } from "#src/mergeRequests/events.ts"
import { type MergeRequestKey, mergeRequestKeyOf } from "#src/mergeRequests/ids.ts"
import { looksLikeDraft } from "#src/mergeRequests/text/drafts.ts"
import { discussionCodec } from "#src/notes/events.ts"
import { discussionKeyOf } from "#src/notes/ids.ts"
import type { RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { projectCodec } from "#src/projects/events.ts"
import { projectIdOf } from "#src/projects/ids.ts"
import { userCodec } from "#src/users/events.ts"
import { userIdOf } from "#src/users/ids.ts"
import { tasksIn, textsChanged, textsPut, textsRemoved, textTables } from "../issuables/texts.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, remove, removeWhere } from "../ReadModel.ts"
import { blockProjection, blocks } from "./blocks.ts"
import { labelingRemoved, labelingTables, labelsChanged, milestoneChanged } from "./labeling.ts"
import { newPeople, peopleOf, peopleRemoved, peopleTables, personRemoved, subscriptionProjection } from "./people.ts"

const [mergeRequests, versions, commits] = ["merge_requests", "versions", "commits"]
const [issuesToClose, timelogs] = ["issues_to_close", "timelogs"]
const [approvals, approvalRules, approvers] = ["approvals", "approval_rules", "approvers"]

const keyOf = ({ iid, projectId }: MergeRequestKey) => ({ project_id: projectId, iid })

type Changed = Extract<MergeRequestEvent, { readonly _tag: "MergeRequestChanged" }>

const changed = (key: MergeRequestKey, { before, changes }: Changed, at: number) => {
  const { assigneeIds, description, reviewerIds, ...columns } = changes
  return [
    patch(mergeRequests, keyOf(key), {
      ...snakeCased(columns),
      ...tasksIn(description),
      ...defined({
        looks_like_draft: columns.title === undefined ? undefined : looksLikeDraft(columns.title),
        is_outdated: columns.targetBranch === undefined ? undefined : true
      }),
      updated_at: at
    }),
    ...textsChanged(keyOf(key), changes),
    ...newPeople(key, { role: "assignee", at }, assigneeIds, before?.assigneeIds),
    ...newPeople(key, { role: "reviewer", at }, reviewerIds, before?.reviewerIds)
  ]
}

const notRebasing = { rebase_by: null, rebase_requested_at: null }

/** What was said with it is forgotten with it. */
const noAutoMerge = {
  auto_merge_user_id: null,
  is_auto_merge_due: false,
  auto_merge_held_for: null,
  should_remove_source_branch: null
}

type Opened = Extract<MergeRequestEvent, { readonly _tag: "MergeRequestOpened" }>

const opened = (key: MergeRequestKey, { _tag, ...event }: Opened, at: number): ReadonlyArray<Change> => {
  const { approvalsBeforeMerge = null, assigneeIds, description, reviewerIds, source, sourceSha, ...columns } = event
  return [
    idTaken("merge_request", event.id),
    put(mergeRequests, {
      ...keyOf(key),
      ...snakeCased(columns),
      ...tasksIn(description),
      looks_like_draft: looksLikeDraft(event.title),
      state: "opened",
      created_at: at,
      updated_at: at,
      source_project_id: source.projectId,
      source_branch: source.branch,
      sha: sourceSha,
      version_id: null,
      version_position: null,
      base_sha: null,
      start_sha: null,
      files: null,
      is_cut: null,
      commits: null,
      verdict: null,
      is_outdated: true,
      check_error: null,
      is_fast_forward: null,
      locked_at: null,
      ...noAutoMerge,
      merge_error: null,
      ...notRebasing,
      prepared_at: null,
      merged_at: null,
      merge_user_id: null,
      merge_sha: null,
      squash_sha: null,
      closed_at: null,
      closed_by_id: null,
      milestone_id: null,
      time_estimate: 0,
      time_spent: 0,
      approvals_before_merge: approvalsBeforeMerge,
      approvals_left: approvalsBeforeMerge ?? 0
    }),
    textsPut(keyOf(key), event.id, event),
    ...peopleOf(key, { role: "assignee", at }, assigneeIds),
    ...peopleOf(key, { role: "reviewer", at }, reviewerIds)
  ]
}

/** When, in milliseconds since 1970, and where in the log. */
type Recorded = Pick<RecordedEvent, "at" | "position">

type VersionAdded = Extract<MergeRequestEvent, { readonly _tag: "VersionAdded" }>

const commitsOf = (key: MergeRequestKey, shas: ReadonlyArray<string | null>): ReadonlyArray<Change> =>
  shas.flatMap((sha) => (sha === null ? [] : [put(commits, { ...keyOf(key), sha })]))

const versionAdded = (
  key: MergeRequestKey,
  { _tag, by, commitShas = [], pipelineId, pushed, ...version }: VersionAdded,
  { at, position }: Recorded
): ReadonlyArray<Change> => {
  const { baseSha, commits: count, files, headSha, id, isCut, startSha } = version
  const columns = { version_position: position, base_sha: baseSha, start_sha: startSha, files, is_cut: isCut, commits: count }
  return [
    idTaken("merge_request_version", id),
    ...(pipelineId === undefined ? [] : [idTaken("pipeline", pipelineId)]),
    put(versions, { ...keyOf(key), ...snakeCased(version), created_at: at }),
    removeWhere(commits, keyOf(key)),
    ...commitsOf(key, commitShas),
    patch(mergeRequests, keyOf(key), { version_id: id, sha: headSha, ...columns, is_outdated: true, merge_error: null })
  ]
}

type ApprovalRuleAdded = Extract<MergeRequestEvent, { readonly _tag: "ApprovalRuleAdded" }>

const ruleAdded = (key: MergeRequestKey, { approvalsRequired, id, left, name, userIds }: ApprovalRuleAdded) => [
  idTaken("approval_rule", id),
  put(approvalRules, { ...keyOf(key), id, name, approvals_required: approvalsRequired }),
  ...userIds.map((userId, place) => put(approvers, { ...keyOf(key), rule_id: id, user_id: userId, place })),
  patch(mergeRequests, keyOf(key), { approvals_left: left })
]

const changes = (key: MergeRequestKey, event: MergeRequestEvent, recorded: Recorded): ReadonlyArray<Change> => {
  const { at } = recorded
  const columns = (changedColumns: Parameters<typeof patch>[2]) => [patch(mergeRequests, keyOf(key), changedColumns)]
  return MergeRequestEvent.match(event, {
    MergeRequestOpened: (it) => opened(key, it, at),
    MergeRequestChanged: (it) => changed(key, it, at),
    MergeRequestLabelsChanged: (it) => labelsChanged(key, it, at),
    MergeRequestMilestoneChanged: (it) => milestoneChanged(key, it, at),
    MergeRequestClosed: ({ by }) =>
      columns({ state: "closed", closed_at: at, closed_by_id: by, merge_error: null, ...notRebasing, updated_at: at }),
    MergeRequestReopened: () =>
      columns({ state: "opened", closed_at: null, closed_by_id: null, is_outdated: true, updated_at: at }),
    MergeRequestDeleted: () => [
      remove(mergeRequests, keyOf(key)),
      textsRemoved(keyOf(key)),
      removeWhere(issuesToClose, keyOf(key)),
      ...[versions, commits, blocks, approvals, approvalRules, approvers, timelogs].map((table) =>
        removeWhere(table, keyOf(key))
      ),
      ...peopleRemoved(key),
      ...labelingRemoved(key)
    ],
    VersionAdded: (it) => versionAdded(key, it, recorded),
    IssuesToCloseFound: ({ issues }) => [
      removeWhere(issuesToClose, keyOf(key)),
      ...issues.map((issue) => put(issuesToClose, { ...keyOf(key), issue_project_id: issue.projectId, issue_iid: issue.iid }))
    ],
    MergeRequestPrepared: () => columns({ prepared_at: at }),
    MergeabilityOutdated: () => columns({ is_outdated: true }),
    MergeabilityChecked: ({ isFastForward, verdict }) =>
      columns({ verdict, is_fast_forward: isFastForward, is_outdated: false, check_error: null }),
    MergeabilityCheckFailed: ({ error }) => columns({ check_error: error }),
    MergePlanned: ({ removesSourceBranch, squash }) =>
      columns({
        state: "locked",
        locked_at: at,
        should_remove_source_branch: removesSourceBranch,
        ...defined({ squash: squash ? true : undefined })
      }),
    MergeRequestMerged: ({ by, mergeSha, squashSha }) => [
      ...columns({
        state: "merged",
        merged_at: at,
        merge_user_id: by,
        merge_sha: mergeSha,
        squash_sha: squashSha,
        merge_error: null,
        ...notRebasing,
        // What was known last stays.
        is_outdated: false,
        updated_at: at
      }),
      ...commitsOf(key, [mergeSha, squashSha])
    ],
    MergeFailed: ({ error }) => columns({ state: "opened", merge_error: error, is_outdated: true }),
    AutoMergeSet: ({ by, removesSourceBranch, squash }) =>
      columns({
        auto_merge_user_id: by,
        is_auto_merge_due: true,
        auto_merge_held_for: null,
        should_remove_source_branch: removesSourceBranch,
        updated_at: at,
        ...defined({ squash: squash ? true : undefined })
      }),
    AutoMergeCanceled: () => columns({ ...noAutoMerge, updated_at: at }),
    AutoMergeAborted: () => columns(noAutoMerge),
    AutoMergeDue: () => columns({ is_auto_merge_due: true, auto_merge_held_for: null }),
    AutoMergeHeld: ({ reason }) => columns({ is_auto_merge_due: false, auto_merge_held_for: reason }),
    TimeEstimated: ({ seconds }) => columns({ time_estimate: seconds, updated_at: at }),
    TimeSpent: ({ by, seconds, summary, total }) => [
      put(timelogs, { ...keyOf(key), id: recorded.position, user_id: by, seconds, summary, created_at: at }),
      ...columns({ time_spent: total, updated_at: at })
    ],
    SpentTimeReset: () => [removeWhere(timelogs, keyOf(key)), ...columns({ time_spent: 0, updated_at: at })],
    RebaseRequested: ({ by }) => columns({ rebase_by: by, rebase_requested_at: at }),
    RebasePlanned: () => [],
    MergeRequestRebased: () => columns({ ...notRebasing, merge_error: null }),
    RebaseFailed: ({ error }) => columns({ ...notRebasing, merge_error: error }),
    MergeRequestApproved: ({ by, left }) => [
      put(approvals, { ...keyOf(key), user_id: by, approved_at: at }),
      ...columns({ approvals_left: left })
    ],
    MergeRequestUnapproved: ({ by, left }) => [
      remove(approvals, { ...keyOf(key), user_id: by }),
      ...columns({ approvals_left: left })
    ],
    ApprovalsReset: ({ left }) => [removeWhere(approvals, keyOf(key)), ...columns({ approvals_left: left })],
    ApprovalRuleAdded: (it) => ruleAdded(key, it),
    ApprovalRuleRemoved: ({ id, left }) => [
      remove(approvalRules, { id }),
      removeWhere(approvers, { rule_id: id }),
      ...columns({ approvals_left: left })
    ]
  })
}

const tables = {
  [mergeRequests]: ["project_id", "iid"],
  [versions]: ["id"],
  [commits]: ["project_id", "sha", "iid"],
  [blocks]: ["id"],
  [issuesToClose]: ["project_id", "iid", "issue_project_id", "issue_iid"],
  [approvals]: ["project_id", "iid", "user_id"],
  [timelogs]: ["id"],
  [approvalRules]: ["id"],
  [approvers]: ["rule_id", "user_id"],
  ...textTables,
  ...peopleTables,
  ...labelingTables
}
/** Their rows follow from those of the others. */
const counts = { label_counts: ["label_id", "project_id"] }

/** Merge requests with their texts, people, labels, versions and subscriptions. */
export const mergeRequestsReadModel: ReadModel = {
  name: "merge_requests",
  version: 23,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  indexes: readFileSync(new URL("./indexes.sql", import.meta.url), "utf8"),
  tables: { ...tables, ...counts },
  projections: [
    blockProjection,
    on(projectCodec, ({ _tag }, { stream }) => {
      const id = _tag === "ProjectDeleted" ? projectIdOf(stream) : undefined
      return id === undefined ? [] : Object.keys(tables).map((table) => removeWhere(table, { project_id: id }))
    }),
    // Their approvals stay until each is withdrawn, which the merge requests that have them are to be told.
    on(userCodec, ({ _tag }, { stream }) => {
      const id = _tag === "UserDeleted" ? userIdOf(stream) : undefined
      return id === undefined ? [] : [...personRemoved(id), removeWhere(approvers, { user_id: id })]
    }),
    on(mergeRequestCodec, (event, recorded) => {
      const key = mergeRequestKeyOf(recorded.stream)
      return key === undefined ? [] : changes(key, event, recorded)
    }),
    // Whoever writes or resolves a note changes what it is about.
    on(discussionCodec, (_, { at, stream }) => {
      const key = discussionKeyOf(stream)
      return key?.type === "mergeRequest" ? [patch(mergeRequests, keyOf(key), { updated_at: at })] : []
    }),
    subscriptionProjection
  ]
}
