import { beforeAll, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { award, label, milestone, stateEvent, times } from "./shapes.ts"
import { at, useContent } from "./useContent.ts"

const { commit, done, exported, fork, make, member, minute, newProject, post, read, recordsOf } = useContent()

const ids = { project: 0, developer: 0 }
/** Ids of commits. */
const shas = { main: "", topic: "", other: "", merge: "" }

const shaOf = async (branch: string) => String(field(await read(`/projects/${ids.project}/repository/commits/${branch}`), "id"))

beforeAll(async () => {
  ids.project = await newProject("requests", { visibility: "public" })
  const [project, requests] = [`/projects/${ids.project}`, `/projects/${ids.project}/merge_requests`]
  const developer = await member(ids.project, "developer", "merger")
  ids.developer = developer.id
  shas.main = await shaOf("main")
  shas.topic = await shaOf("topic")
  shas.other = await commit(ids.project, "other", { "other.txt": "other\n" })
  minute(1)
  await post(`${project}/labels`, { name: "bug", color: "#d9534f" })
  await post(`${project}/labels`, { name: "new", color: "#d9534f" })
  const milestone_id = await make(`${project}/milestones`, { title: "v1" })
  minute(2)
  const people = { assignee_ids: [developer.id], reviewer_ids: [developer.id, 1] }
  const settings = { squash: true, remove_source_branch: true, description: "Why" }
  const branches = { source_branch: "topic", target_branch: "main" }
  await post(requests, { title: "[Draft] Topic", labels: "bug", milestone_id, ...branches, ...people, ...settings })
  await read(`${requests}/1`)
  minute(3)
  await post(`${requests}/1/add_spent_time`, { duration: "1h", summary: "Lost" })
  await post(`${requests}/1/reset_spent_time`)
  minute(4)
  await post(`${requests}/1/add_spent_time`, { duration: "2h", summary: "Review" }, developer.token)
  await post(`${requests}/1/add_spent_time`, { duration: "-30m" })
  await post(`${requests}/1/time_estimate`, { duration: "3h" })
  minute(5)
  await post(`${requests}/1/approve`, {}, developer.token)
  await post(`${requests}/1/award_emoji`, { name: "tada" })
  minute(6)
  await done("PUT", `${requests}/1`, { add_labels: "new", remove_labels: "bug" })
  await done("PUT", `${requests}/1`, { milestone_id: 0 })
  await done("PUT", `${requests}/1`, { milestone_id })
  minute(7)
  await done("PUT", `${requests}/1`, { state_event: "close" })
  minute(8)
  await done("PUT", `${requests}/1`, { state_event: "reopen" })
  minute(9)
  await post(requests, { title: "Other", source_branch: "other", target_branch: "main" })
  await read(`${requests}/2`)
  minute(10)
  await done("PUT", `${requests}/2/merge`, { should_remove_source_branch: true })
  shas.merge = await shaOf("main")
  minute(11)
  await done("PUT", `${requests}/1`, { state_event: "close" }, developer.token)
  await exported(ids.project)
})

/** A merge request without anything, in the order of the reference. */
const request = (iid: number, named: object, metrics: object, nested: object) => {
  const { project } = ids
  return {
    target_branch: "main",
    source_branch: "topic",
    source_project_id: project,
    author_id: 1,
    title: "",
    ...times(0),
    merge_status: "unchecked",
    target_project_id: project,
    iid,
    description: null,
    updated_by_id: null,
    merge_error: null,
    merge_params: { force_remove_source_branch: false, should_remove_source_branch: null },
    merge_user_id: null,
    merge_commit_sha: null,
    squash_commit_sha: null,
    in_progress_merge_commit_sha: null,
    lock_version: 0,
    approvals_before_merge: null,
    rebase_commit_sha: null,
    time_estimate: 0,
    squash: false,
    last_edited_at: null,
    last_edited_by_id: null,
    discussion_locked: null,
    allow_maintainer_to_push: false,
    merge_ref_sha: null,
    draft: false,
    diff_head_sha: shas.topic,
    source_branch_sha: shas.topic,
    target_branch_sha: shas.main,
    state: "opened",
    ...named,
    approvals: [],
    metrics: {
      ...times(0),
      latest_closed_by_id: null,
      latest_closed_at: null,
      merged_by_id: null,
      merged_at: null,
      latest_build_started_at: null,
      latest_build_finished_at: null,
      first_deployed_to_production_at: null,
      first_comment_at: null,
      first_commit_at: null,
      last_commit_at: null,
      diff_size: null,
      modified_paths_size: null,
      commits_count: 1,
      first_approved_at: null,
      first_reassigned_at: null,
      added_lines: null,
      removed_lines: null,
      target_project_id: project,
      ...metrics
    },
    award_emoji: [],
    merge_request_assignees: [],
    merge_request_reviewers: [],
    notes: [],
    merge_request_diff: null,
    events: [],
    timelogs: [],
    label_links: [],
    milestone: null,
    resource_label_events: [],
    resource_milestone_events: [],
    resource_state_events: [],
    ...nested
  }
}

/** The merge requests of a project without their notes, which have tests of their own. */
const requestsOf = async (projectId: number) => {
  const records = await recordsOf(projectId, "merge_requests")
  return records.map((record) => ({ ...(record as object), notes: [] }))
}

const diff = (made: number, head: string, more: object = {}) => ({
  state: "collected",
  ...times(made),
  base_commit_sha: shas.main,
  real_size: "1",
  head_commit_sha: head,
  start_commit_sha: shas.main,
  commits_count: 1,
  files_count: 1,
  sorted: true,
  diff_type: "regular",
  merge_request_diff_commits: [],
  merge_request_diff_files: [],
  ...more
})

it("a merge request comes with all that was done with it", async () => {
  const { developer, project } = ids
  const [record] = await requestsOf(project)
  const of = { project_id: project }
  const labelOf = (title: string) => label({ title, made: 1 }, of)
  const v1 = milestone({ title: "v1", made: 1 }, { iid: 1, ...of })
  const spent = (time_spent: number, by: number, summary: string | null) => ({
    time_spent,
    user_id: by,
    project_id: project,
    spent_at: at(4),
    ...times(4),
    summary
  })
  const labeled = (action: string, made: number, title: string) => ({
    action,
    user_id: 1,
    created_at: at(made),
    label: labelOf(title)
  })
  const planned = (action: string, made: number) => ({ user_id: 1, action, created_at: at(made), state: "opened", milestone: v1 })
  expectExactly(
    record,
    request(
      1,
      {
        title: "[Draft] Topic",
        ...times(2, 11),
        description: "Why",
        merge_params: { force_remove_source_branch: true, should_remove_source_branch: null },
        time_estimate: 10_800,
        squash: true,
        draft: true,
        state: "closed"
      },
      { ...times(2, 11), latest_closed_by_id: developer, latest_closed_at: at(11), first_approved_at: at(5) },
      {
        approvals: [{ user_id: developer, ...times(5) }],
        award_emoji: [award("MergeRequest", "tada", { by: 1, made: 5 })],
        merge_request_assignees: [{ user_id: developer, created_at: at(2) }],
        merge_request_reviewers: [
          { user_id: developer, created_at: at(2), state: "approved" },
          { user_id: 1, created_at: at(2), state: "unreviewed" }
        ],
        merge_request_diff: diff(2, shas.topic),
        timelogs: [spent(7_200, developer, "Review"), spent(-1_800, 1, null)],
        label_links: [{ target_type: "MergeRequest", label: labelOf("new") }],
        milestone: v1,
        resource_label_events: [labeled("add", 2, "bug"), labeled("add", 6, "new"), labeled("remove", 6, "bug")],
        resource_milestone_events: [planned("add", 2), planned("remove", 6), planned("add", 6)],
        resource_state_events: [
          stateEvent("closed", { by: 1, made: 7 }),
          stateEvent("reopened", { by: 1, made: 8 }),
          stateEvent("closed", { by: developer, made: 11 })
        ]
      }
    )
  )
})

it("a merge request that is merged tells by whom, when and where", async () => {
  const [, record, ...others] = await requestsOf(ids.project)
  const named = {
    source_branch: "other",
    title: "Other",
    ...times(9, 10),
    merge_status: "can_be_merged",
    merge_params: { force_remove_source_branch: false, should_remove_source_branch: true },
    merge_user_id: 1,
    merge_commit_sha: shas.merge,
    diff_head_sha: shas.other,
    source_branch_sha: shas.other,
    state: "merged"
  }
  const metrics = { ...times(9, 10), merged_by_id: 1, merged_at: at(10) }
  const merged = stateEvent("merged", { by: 1, made: 10 })
  const nested = { merge_request_diff: diff(9, shas.other), resource_state_events: [merged] }
  expectExactly(record, request(2, named, metrics, nested))
  expect(others).toEqual([])
})

it("a merge request of a fork is in the export of the project into which it is to be merged", async () => {
  const forked = await fork(ids.project, "forked")
  const branches = { source_branch: "topic", target_branch: "main", target_project_id: ids.project }
  await post(`/projects/${forked}/merge_requests`, { title: "From a fork", allow_collaboration: true, ...branches })
  await exported(ids.project, { json: { batched: true } })
  await exported(ids.project)
  await exported(forked)
  const [, , record] = await requestsOf(ids.project)
  const values = ["title", "iid", "source_project_id", "target_project_id", "allow_maintainer_to_push", "merge_request_diff"]
  const start = await shaOf("main")
  expect(values.map((name) => field(record, name))).toEqual([
    ...["From a fork", 3, forked, ids.project, true],
    diff(11, shas.topic, { start_commit_sha: start })
  ])
  expect(await recordsOf(forked, "merge_requests")).toEqual([])
})

it("a merge request that is set to merge automatically tells who has set that", async () => {
  const id = await newProject("automatic")
  const requests = `/projects/${id}/merge_requests`
  await post(requests, { title: "Topic", source_branch: "topic", target_branch: "main" })
  const sha = field(await read(`${requests}/1`), "sha")
  await post(`/projects/${id}/statuses/${sha}`, { name: "ci", state: "running", ref: "topic" })
  await done("PUT", `${requests}/1/merge`, { auto_merge: true })
  await exported(id)
  const [record] = await recordsOf(id, "merge_requests")
  expect([field(record, "state"), field(record, "merge_user_id")]).toEqual(["opened", 1])
})
