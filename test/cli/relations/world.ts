import { Effect } from "effect"
import { expect } from "vitest"
import { mergeRequestAggregate } from "#src/mergeRequests/decisions/aggregate.ts"
import { handle } from "#src/platform/Commands.ts"
import { field } from "#test/support/exactly.ts"
import { settled } from "#test/support/reactions/settled.ts"
import type { useContent } from "../../exports/useContent.ts"

type Content = ReturnType<typeof useContent>

/** A project with something of all that an export tells of. */
export interface World {
  readonly projectId: number
  readonly groupId: number
  /** A user who did some of it. */
  readonly developerId: number
}

const color = "#d9534f"

const config = `workflow:
  name: All of it
build:
  stage: build
  script: make
check:
  script: make check
  allow_failure: true
`

const planned = async ({ done, make, minute, post }: Content, project: string, group: string) => {
  minute(1)
  await post(`${group}/labels`, { name: "shared", color })
  await post(`${project}/labels`, { name: "bug", color, description: "Broken", priority: 2 })
  await post(`${project}/labels`, { name: `odd "ünïcode" \u2028`, color })
  const first = await make(`${project}/milestones`, { title: "v1", description: "First", due_date: "2030-02-01" })
  const second = await make(`${project}/milestones`, { title: "v2", start_date: "2030-01-02" })
  const ofGroup = await make(`${group}/milestones`, { title: "Quarter" })
  minute(2)
  await done("PUT", `${project}/labels/bug`, { priority: 3 })
  await done("PUT", `${project}/milestones/${second}`, { state_event: "close" })
  minute(3)
  await done("PUT", `${project}/milestones/${second}`, { description: "Second" })
  return { first, ofGroup }
}

type Milestones = Awaited<ReturnType<typeof planned>>

const discussed = async (
  { done, make, minute, post }: Content,
  project: string,
  { first, ofGroup }: Milestones,
  developer: { readonly id: number; readonly token: string }
) => {
  const issues = `${project}/issues`
  minute(4)
  const more = { labels: "bug,shared", milestone_id: first, due_date: "2030-03-01", assignee_ids: [developer.id, 1] }
  await post(issues, { title: `Uploads "fail" \u2028`, description: "One\ttab\\\n- [ ] task\u0001", ...more })
  await post(issues, { title: "Secret", confidential: true, milestone_id: ofGroup }, developer.token)
  await post(issues, { title: "Over", discussion_locked: true })
  const noteId = await make(`${issues}/1/notes`, { body: "Seen it" }, developer.token)
  minute(5)
  await post(`${issues}/1/notes`, { body: "For members only", internal: true })
  await post(`${issues}/1/notes/${noteId}/award_emoji`, { name: "rocket" })
  await post(`${issues}/1/notes/${noteId}/award_emoji`, { name: "rocket" }, developer.token)
  await post(`${issues}/1/award_emoji`, { name: "thumbsup" }, developer.token)
  minute(6)
  const thread = field(await post(`${issues}/1/discussions`, { body: "Why?" }), "id")
  await post(`${issues}/1/discussions/${thread}/notes`, { body: "Because" }, developer.token)
  minute(7)
  await done("PUT", `${issues}/3`, { state_event: "close" })
  minute(8)
  await done("PUT", `${issues}/3`, { state_event: "reopen" }, developer.token)
  minute(9)
  await done("PUT", `${issues}/3`, { state_event: "close" })
  await done("PUT", `${issues}/2`, { title: "Top secret" })
}

const reviewed = async (
  { commit, done, fork, make, minute, post, read, service }: Content,
  projectId: number,
  { first }: Milestones,
  developer: { readonly id: number; readonly token: string }
) => {
  const requests = `/projects/${projectId}/merge_requests`
  const open = (title: string, source_branch: string, more: object = {}) =>
    post(requests, { title, source_branch, target_branch: "main", ...more })
  await commit(projectId, "other", { "other.txt": "other\n" })
  await commit(projectId, "squashed", { "squashed.txt": "1\n" })
  await commit(projectId, "clash", { "topic.txt": "Clash\n" })
  minute(10)
  const people = { assignee_ids: [developer.id], reviewer_ids: [1] }
  const settings = { squash: true, remove_source_branch: true, description: "Why", labels: "bug", milestone_id: first }
  await open("Draft: Topic", "topic", { ...people, ...settings })
  await read(`${requests}/1`)
  minute(11)
  await post(`${requests}/1/add_spent_time`, { duration: "2h", summary: "Review" }, developer.token)
  await post(`${requests}/1/add_spent_time`, { duration: "-30m" })
  await post(`${requests}/1/time_estimate`, { duration: "3h" })
  await post(`${requests}/1/approve`, {}, developer.token)
  await post(`${requests}/1/award_emoji`, { name: "tada" })
  minute(12)
  await done("PUT", `${requests}/1`, { add_labels: "shared", remove_labels: "bug", milestone_id: 0 })
  await done("PUT", `${requests}/1`, { milestone_id: first, reviewer_ids: [1, developer.id] })
  const position = { ...(field(await read(`${requests}/1`), "diff_refs") as object), position_type: "text" }
  await post(`${requests}/1/discussions`, { body: "Here", position: { ...position, new_path: "topic.txt", new_line: 1 } })
  const over = field(await post(`${requests}/1/discussions`, { body: "Over" }, developer.token), "id")
  const changed = await make(`${requests}/1/notes`, { body: "Frist" })
  minute(13)
  await post(`${requests}/1/discussions/${over}/notes`, { body: "Done" })
  await done("PUT", `${requests}/1/discussions/${over}`, { resolved: true })
  await done("PUT", `${requests}/1/notes/${changed}`, { body: "First" })
  minute(14)
  await done("PUT", `${requests}/1`, { state_event: "close" }, developer.token)
  await done("PUT", `${requests}/1`, { state_event: "reopen" })
  minute(15)
  for (const [title, branch] of [
    ["Other", "other"],
    ["Squashed", "squashed"]
  ] as const)
    await open(title, branch)
  await read(`${requests}/2`)
  await read(`${requests}/3`)
  minute(16)
  await done("PUT", `${requests}/2/merge`, { should_remove_source_branch: true })
  await done("PUT", `${requests}/3/merge`, { squash: true })
  minute(17)
  await open("Gone", "topic", { target_branch: "clash", title: "Into another" })
  await done("PUT", `${requests}/4`, { state_event: "close" })
  const forked = await fork(projectId, "forked")
  await commit(forked, "elsewhere", { "elsewhere.txt": "there\n" })
  const there = { source_branch: "elsewhere", target_branch: "main", target_project_id: projectId }
  await post(`/projects/${forked}/merge_requests`, { title: "From a fork", allow_collaboration: true, ...there })
  await read(`${requests}/5`)
  minute(18)
  const again = { branch: "elsewhere", commit_message: "Again", content: "there again\n" }
  await done("PUT", `/projects/${forked}/repository/files/elsewhere.txt`, again)
  await service.run(settled)
  await service.run(Effect.orDie(handle(mergeRequestAggregate, { projectId, iid: 5 }, { _tag: "FailMerge", error: "It failed" })))
}

const built = async (
  { commit, done, make, minute, post, read }: Content,
  projectId: number,
  developer: { readonly token: string }
) => {
  const project = `/projects/${projectId}`
  const sha = await commit(projectId, "built", { ".gitlab-ci.yml": config })
  const status = (json: object) => post(`${project}/statuses/${sha}`, { ref: "built", ...json }, developer.token)
  minute(20)
  await status({ name: "ci", state: "running", target_url: "https://ci.example.com/1", description: "Builds" })
  await status({ name: "lint", state: "pending" })
  minute(21)
  await status({ name: "ci", state: "success", coverage: 91.5 })
  await status({ name: "lint", state: "failed" })
  const pipeline = await make(`${project}/pipeline`, { ref: "built" })
  minute(22)
  await done("POST", `${project}/pipelines/${pipeline}/cancel`)
  const nightly = { description: "Nightly", ref: "main", cron: "0 1 * * *", cron_timezone: "Berlin" }
  const schedule = await make(`${project}/pipeline_schedules`, nightly)
  minute(23)
  await done("PUT", `${project}/pipeline_schedules/${schedule}`, { description: "Every night" })
  const main = field(await read(`${project}/repository/commits/main`), "id")
  await post(`${project}/repository/commits/${main}/comments`, { note: "On the commit" }, developer.token)
  await post(`${project}/repository/commits/${main}/comments`, { note: "A line", path: "README.md", line: 1, line_type: "new" })
}

const released = async ({ done, minute, post }: Content, project: string) => {
  minute(24)
  await post(`${project}/releases`, { tag_name: "v1", ref: "main", description: "All of it", milestones: ["v1", "v2"] })
  await post(`${project}/releases`, { tag_name: "v2", ref: "main", name: "Second", released_at: "2030-01-01T00:30:00Z" })
  minute(25)
  const link = { name: "Tool", url: "https://example.com/tool", direct_asset_path: "/tool", link_type: "package" }
  await post(`${project}/releases/v2/assets/links`, link)
  // It leads where the default branch does, and git would take it for that.
  await post(`${project}/repository/branches`, { branch: "master", ref: "main" })
  await post(`${project}/protected_branches`, { name: "release/*", push_access_level: 0, merge_access_level: 30 })
  await post(`${project}/protected_tags`, { name: "v*", create_access_level: 40 })
  const settings = { description: 'All "settings"', merge_method: "ff", squash_option: "always", build_git_strategy: "clone" }
  const levels = { wiki_access_level: "disabled", pages_access_level: "public", issues_access_level: "private" }
  await done("PUT", project, { ...settings, ...levels, ci_default_git_depth: 7, merge_commit_template: "%{title}" })
  await done("PATCH", `${project}/pages`, { pages_https_only: true })
}

const uploaded = async ({ minute, service: { request } }: Content, project: string) => {
  for (const [at, name, content] of [
    [26, "first.png", "1"],
    [26.51, "second.txt", "22"]
  ] as const) {
    minute(at)
    const { status } = await request("POST", `${project}/uploads`, { multipart: { file: new File([content], name) } })
    expect(status).toBe(201)
  }
}

/** Makes the world, minute by minute. */
export const makeWorld = async (content: Content): Promise<World> => {
  const { commit, make, member } = content
  const groupId = await make("/groups", { name: "planning", path: "planning" })
  const projectId = await make("/projects", { name: "original", namespace_id: groupId })
  await commit(projectId, "main", { "README.md": "# A\n" })
  await commit(projectId, "topic", { "topic.txt": "topic\n" })
  const developer = await member(projectId, "maintainer", "planner")
  const project = `/projects/${projectId}`
  const milestones = await planned(content, project, `/groups/${groupId}`)
  await discussed(content, project, milestones, developer)
  await reviewed(content, projectId, milestones, developer)
  await built(content, projectId, developer)
  await released(content, project)
  await uploaded(content, project)
  return { projectId, groupId, developerId: developer.id }
}
