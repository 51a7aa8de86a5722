import { Result, Schema } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { clusterRoutes } from "#src/clusters/handlers.ts"
import { deploymentRoutes } from "#src/deployments/handlers.ts"
import { groupRoutes } from "#src/groups/handlers.ts"
import { successesOf } from "#src/http/Endpoint.ts"
import { issueRoutes } from "#src/issues/handlers.ts"
import { keyRoutes } from "#src/keys/handlers.ts"
import { labelRoutes } from "#src/labels/handlers.ts"
import { milestoneRoutes } from "#src/milestones/handlers.ts"
import { noteRoutes } from "#src/notes/handlers.ts"
import { pagesRoutes } from "#src/pages/handlers.ts"
import { pipelineRoutes } from "#src/pipelines/handlers.ts"
import { projectRoutes } from "#src/projects/handlers.ts"
import { branchRoutes } from "#src/repositories/branches/handlers.ts"
import { commitCommentRoutes } from "#src/repositories/comments/handlers.ts"
import { commitRoutes } from "#src/repositories/commits/handlers.ts"
import { fileRoutes } from "#src/repositories/files/handlers.ts"
import { tagRoutes } from "#src/repositories/tags/handlers.ts"
import { scheduleRoutes } from "#src/schedules/handlers.ts"
import { uploadRoutes } from "#src/uploads/handlers.ts"
import { ed25519, nistp256, otherEd25519, rsa } from "#test/keys/keySamples.ts"
import { expectExactly, field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { type Received, type Sent, useService } from "#test/support/service.ts"
import { askPages, askPipelines, askUploads } from "./askParts.ts"

const service = useService()

const routes = [
  ...clusterRoutes,
  ...keyRoutes,
  ...groupRoutes,
  ...projectRoutes,
  ...labelRoutes,
  ...milestoneRoutes,
  ...issueRoutes
]
const content = [
  ...branchRoutes,
  ...tagRoutes,
  ...commitRoutes,
  ...commitCommentRoutes,
  ...fileRoutes,
  ...pipelineRoutes,
  ...scheduleRoutes,
  ...deploymentRoutes,
  ...pagesRoutes,
  ...uploadRoutes,
  ...noteRoutes
]
/** Bytes, or of what no endpoint makes. */
const isElsewhere = (name: string) => /^(repositories\.(rawFile|\w+Signature)|uploads\.read(Named)?)$/.test(name)
const endpoints = [...routes, ...content.filter(({ endpoint }) => !isElsewhere(endpoint.name))].map(({ endpoint }) => endpoint)
const answers = new Map<string, Array<Received>>()

type SampleRequest = Sent & { readonly method?: "HEAD" }

/** Sends a request and notes its answer as one of the endpoint. */
const ask = async (name: string, sent: SampleRequest = {}, ids: Readonly<Record<string, unknown>> = {}): Promise<unknown> => {
  const declared = endpoints.find((endpoint) => endpoint.name === name)
  if (declared === undefined) throw new Error(`no endpoint ${name}`)
  const path = declared.path.replace(/:(\w+)/g, (_, id: string) => String(ids[id]))
  const received = await service.request(sent.method ?? declared.method, path, sent)
  answers.set(name, [...(answers.get(name) ?? []), received])
  return received.body
}

beforeAll(async () => {
  const platform = { api_url: "https://k8s.example.com", token: "t", namespace: "team" }
  const cluster = await ask("clusters.add", { json: { name: "a", domain: "a.b", platform_kubernetes_attributes: platform } })
  const cluster_id = field(cluster, "id")
  await ask("clusters.change", { json: { domain: "" } }, { cluster_id })
  await ask("clusters.read", {}, { cluster_id })
  await ask("clusters.list")
  await ask("clusters.delete", {}, { cluster_id })

  const user_id = await createUser(service, "ada")
  const json = { title: "a", key: ed25519.text, expires_at: "2100-01-01" }
  const key_id = field(await ask("keys.addForUser", { json }, { user_id }), "id")
  await ask("keys.listOfUser", {}, { user_id })
  await ask("keys.readOfUser", {}, { id: user_id, key_id })
  await ask("keys.read", {}, { id: key_id })
  await ask("keys.find", { query: { fingerprint: ed25519.fingerprint } })
  await ask("keys.deleteOfUser", {}, { id: user_id, key_id })
  const own = field(await ask("keys.addOwn", { json: { title: "b", key: nistp256.text } }), "id")
  await ask("keys.listOwn")
  await ask("keys.readOwn", {}, { key_id: own })
  await ask("keys.deleteOwn", {}, { key_id: own })
  const deploy = field(await ask("keys.createDeployKey", { json: { title: "c", key: rsa.text } }), "id")
  await ask("keys.listDeployKeys")
  await ask("keys.read", {}, { id: deploy })
  await ask("keys.find", { query: { fingerprint: rsa.fingerprint } })

  const visibility = "public"
  const group = field(await ask("groups.create", { json: { name: "A", path: "a", visibility } }), "id")
  await ask("groups.create", { json: { name: "B", path: "b", parent_id: group, default_branch: "main", visibility } })
  await ask("groups.list", { token: null })
  await ask("groups.read", {}, { id: group })
  await ask("groups.read", { token: null, query: { with_projects: "false" } }, { id: "a%2Fb" })
  await ask("groups.listSubgroups", {}, { id: group })
  await ask("groups.listDescendants", {}, { id: group })
  await ask("groups.update", { json: { path: "c", mentions_disabled: true } }, { id: group })
  await ask("namespaces.list")
  await ask("namespaces.read", {}, { id: "c" })
  await ask("namespaces.read", {}, { id: "ada" })
  await ask("groups.addMember", { json: { user_id, access_level: 30, expires_at: "2100-01-01" } }, { id: group })
  await ask("groups.addMember", { json: { user_id: `${user_id},1`, access_level: 30 } }, { id: group })
  await ask("groups.listMembers", {}, { id: group })
  await ask("groups.listAllMembers", {}, { id: "c%2Fb" })
  await ask("groups.readMember", {}, { id: group, user_id })
  await ask("groups.readAnyMember", {}, { id: "c%2Fb", user_id })
  await ask("groups.changeMember", { json: { access_level: 40 } }, { id: group, user_id })
  await ask("groups.removeMember", {}, { id: group, user_id })
  await askParent("Group", group)
  await ask("groups.delete", {}, { id: group })
  await askProjects(user_id)
  await askContent()
  await askJobs()
})

/** What is in a repository. */
const askContent = async () => {
  const { body } = await service.request("POST", "/projects", { json: { name: "content" } })
  const ids = { id: field(body, "id"), branch: "topic", tag_name: "v1", sha: "main", file_path: "a" }
  const named = (name: string, sent?: SampleRequest) => ask(`repositories.${name}`, sent, ids)
  const json = { branch: "main", commit_message: "m", content: "a\n" }
  await named("createFile", { json })
  await named("updateFile", { json: { ...json, content: "b\n" } })
  const actions = [{ action: "create", file_path: "b", content: "b\n" }]
  await named("createCommit", { json: { ...json, actions } })
  await named("createCommit", { json: { ...json, actions: [], stats: false } })
  for (const name of ["readFile", "blameFile"]) await named(name, { query: { ref: "main" } })
  const branch = await named("createBranch", { json: { branch: "topic", ref: "main~2" } })
  for (const name of ["listBranches", "readBranch", "protectBranch", "unprotectBranch"]) await named(name)
  await named("readBranch", { method: "HEAD" })
  for (const sent of [{}, { query: { with_stats: "true", trailers: "true" } }]) await named("listCommits", sent)
  await named("commentCommit", { json: { note: "n", path: "a", line: 1 } })
  for (const name of ["readCommit", "commitDiff", "commitRefs", "commitSequence", "commitComments"]) await named(name)
  await named("commitMergeRequests")
  await askPipelines(ask, ids.id)
  await askSchedules(ids.id)
  await askNotes(ids.id)
  await askDeployments(ids.id)
  await askPages(ask, ids.id)
  await askUploads(ask, ids.id)
  await named("readCommit")
  const picked = { id: ids.id, sha: "main~1" }
  for (const dry_run of [true, false]) {
    await ask("repositories.cherryPick", { json: { branch: "topic", dry_run } }, picked)
    await ask("repositories.revert", { json: { branch: "main", dry_run } }, picked)
  }
  await named("createTag", { json: { tag_name: "v1", ref: "main", message: "One" } })
  await named("createTag", { json: { tag_name: "v2", ref: String(field(field(branch, "commit"), "id")) } })
  for (const name of ["listTags", "readTag", "deleteTag", "deleteBranch", "deleteMergedBranches"]) await named(name)
  await named("deleteFile", { json })
}

const askJobs = async () => {
  const id = field((await service.request("POST", "/projects", { json: { name: "jobs" } })).body, "id")
  const content = "ask:\n  script: make\n  when: manual\nrun:\n  script: make\n  needs: []\n  variables: { A: b }\n"
  const json = { branch: "main", commit_message: "CI [skip ci]", content }
  await ask("repositories.createFile", { json }, { id, file_path: ".gitlab-ci.yml" })
  const variables = [{ key: "K", value: "v", variable_type: "file" }]
  const pipeline_id = field(await ask("pipelines.create", { json: { ref: "main", variables } }, { id }), "id")
  const ids = { id, pipeline_id }
  for (const name of ["variables", "testReport", "testReportSummary"]) await ask(`pipelines.${name}`, {}, ids)
  const listed = await ask("jobs.listOfPipeline", {}, ids)
  await ask("jobs.listBridges", {}, ids)
  await ask("jobs.list", {}, { id })
  const claimed = await ask("jobs.claim", { json: { executor: "one" } }, { id })
  const [claim, run] = [field(claimed, "claim"), field(field(claimed, "job"), "id")]
  const others = (Array.isArray(listed) ? listed : []).map((job) => field(job, "id")).filter((job) => job !== run)
  await ask("jobs.heartbeat", { json: { claim } }, { id, job_id: run })
  await ask("jobs.finish", { json: { claim, status: "failed", exit_code: 2, coverage: 1.5 } }, { id, job_id: run })
  await ask("jobs.read", {}, { id, job_id: run })
  await ask("jobs.retry", {}, { id, job_id: run })
  await ask("jobs.play", {}, { id, job_id: others[0] })
  await ask("jobs.cancel", {}, { id, job_id: others[0] })
  await ask("pipelines.retry", {}, ids)
  await ask("pipelines.cancel", {}, ids)
  await ask("jobs.claim", { json: { executor: "one" } }, { id })
}

const askSchedules = async (id: unknown) => {
  const schedule = (name: string, sent: SampleRequest = {}, ids: object = {}) =>
    ask(`pipelineSchedules.${name}`, sent, { id, ...ids })
  const json = { description: "Nightly build", ref: "main", cron: "0 1 * * *" }
  const made = { pipeline_schedule_id: field(await schedule("create", { json }), "id"), key: "KEY" }
  await schedule("addVariable", { json: { key: "KEY", value: "v", variable_type: "file" } }, made)
  await schedule("play", {}, made)
  await schedule("list")
  for (const name of ["read", "readVariable", "pipelines", "runs", "preview"]) await schedule(name, {}, made)
  await schedule("change", { json: { active: false } }, made)
  const { text: token } = await issueTokenFor(service, await createUser(service, "taker", { admin: true }))
  for (const sent of [{ token }, { token }]) await schedule("takeOwnership", sent, made)
  await schedule("changeVariable", { json: { value: "w" } }, made)
  for (const name of ["removeVariable", "delete"]) await schedule(name, {}, made)
}

/** What is said of a merge request, also of a line of it. */
const askNotes = async (id: unknown) => {
  const file = { branch: "lines", start_branch: "main", commit_message: "m", content: "a\n" }
  await service.request("POST", `/projects/${id}/repository/files/lines.txt`, { json: file })
  const opening = { title: "A", source_branch: "lines", target_branch: "main" }
  const opened = await service.request("POST", `/projects/${id}/merge_requests`, { json: opening })
  const position = { ...Object(field(opened.body, "diff_refs")), position_type: "text", new_path: "lines.txt", new_line: 1 }
  const of = { id, noteable_id: field(opened.body, "iid") }
  await ask("mergeRequestNotes.create", { json: { body: "/todo" } }, of)
  await ask("mergeRequestDiscussions.create", { json: { body: "/done" } }, of)
  const thread = await askNotesOf("mergeRequest", of, { position })
  await ask("mergeRequestDiscussions.reply", { json: { body: "/todo" } }, thread)
  await ask("mergeRequestDiscussions.changeNote", { json: { resolved: true } }, thread)
  await ask("mergeRequestDiscussions.resolve", { json: { resolved: true } }, thread)
  await ask("mergeRequestDiscussions.deleteNote", {}, thread)
}

const askDeployments = async (id: unknown) => {
  const { body: branch } = await service.request("GET", `/projects/${id}/repository/branches/main`)
  const of = { environment: "production", sha: field(field(branch, "commit"), "id"), ref: "main", tag: false }
  const environment_id = field(await ask("deployments.createEnvironment", { json: { name: "staging" } }, { id }), "id")
  const made = await ask("deployments.create", { json: { ...of, status: "running" } }, { id })
  const named = { id, environment_id, deployment_id: field(made, "id") }
  await ask("deployments.change", { json: { status: "success" } }, named)
  for (const name of ["listEnvironments", "readEnvironment", "list", "read"]) await ask(`deployments.${name}`, {}, named)
  await ask("deployments.readEnvironment", {}, { id, environment_id: field(field(made, "environment"), "id") })
  await ask("deployments.changeEnvironment", { json: { tier: "other" } }, named)
  for (const name of ["stopEnvironment", "deleteEnvironment"]) await ask(`deployments.${name}`, {}, named)
}

/** Asks of notes what all kinds of things have; answers a reply in a thread. */
const askNotesOf = async (kind: string, of: Readonly<Record<string, unknown>>, more: object = {}) => {
  const json = { body: "Looks good." }
  const note_id = field(await ask(`${kind}Notes.create`, { json }, of), "id")
  await ask(`${kind}Notes.change`, { json: { body: "Looks better." } }, { ...of, note_id })
  const started = await ask(`${kind}Discussions.create`, { json: { ...json, ...more } }, of)
  const thread = { ...of, discussion_id: field(started, "id") }
  const replied = { ...thread, note_id: field(await ask(`${kind}Discussions.reply`, { json }, thread), "id") }
  await ask(`${kind}Discussions.changeNote`, { json }, replied)
  for (const name of ["list", "read", "notes", "note"]) await ask(`${kind}Discussions.${name}`, {}, replied)
  const award_id = field(await ask(`${kind}Notes.award`, { json: { name: "thumbsup" } }, { ...of, note_id }), "id")
  for (const name of ["listAwards", "readAward", "takeAwardBack", "list", "read", "delete"])
    await ask(`${kind}Notes.${name}`, {}, { ...of, note_id, award_id })
  return replied
}

const askProjects = async (user_id: number) => {
  const attributes = { visibility: "public", description: "d", topics: ["a"] }
  const id = field(await ask("projects.create", { json: { name: "tool", ...attributes } }), "id")
  const theirs = field(await ask("projects.createForUser", { json: { name: "theirs" } }, { user_id }), "id")
  const token = (await issueTokenFor(service, user_id)).text
  await ask("projects.fork", { token }, { id })
  await ask("projects.change", { json: { merge_method: "ff" } }, { id })
  for (const sent of [{}, { token: null }, { token }]) {
    await ask("projects.list", sent)
    await ask("projects.read", sent, { id })
    await ask("projects.listOfUser", sent, { user_id })
  }
  await ask("projects.list", { query: { simple: "true" } })
  const group = field((await service.request("POST", "/groups", { json: { name: "g", path: "g" } })).body, "id")
  await ask("projects.create", { json: { path: "of-group", namespace_id: group } })
  const invited = field((await service.request("POST", "/groups", { json: { name: "i", path: "i" } })).body, "id")
  const json = { group_id: invited, group_access: 30 }
  for (const [area, shared] of [
    ["groups", group],
    ["projects", id]
  ] as const) {
    await ask(`${area}.share`, { json }, { id: shared })
    await ask(`${area}.read`, {}, { id: shared })
    await ask("groups.read", {}, { id: invited })
    await ask(`${area}.listInvited${area === "groups" ? "" : "Groups"}`, {}, { id: shared })
    await ask("groups.listShared", {}, { id: invited })
    await ask(`${area}.unshare`, {}, { id: shared, group_id: invited })
  }
  await ask("groups.read", {}, { id: group })
  await ask("projects.listOfGroup", {}, { id: group })
  await ask("projects.listUsers", {}, { id })
  await ask("projects.read", { query: { statistics: "true", license: "true" } }, { id })
  for (const sent of [{ query: { statistics: "true" } }, { token: null }]) await ask("projects.listForks", sent, { id })
  await ask("projects.listTransferLocations", {}, { id: theirs })
  await ask("projects.transfer", { json: { namespace: group } }, { id: theirs })
  await ask("projects.listGroups", {}, { id: theirs })
  await ask("groups.bringProject", {}, { id: invited, project_id: theirs })
  await ask("groups.listTransferLocations", {}, { id: group })
  await ask("groups.transfer", { json: { group_id: invited } }, { id: group })
  const twice = ["changes", "changes nothing"]
  for (const _ of twice) await ask("projects.star", {}, { id })
  await ask("projects.listStarrers", {}, { id })
  await ask("projects.listStarred", {}, { user_id: "root" })
  for (const _ of twice) await ask("projects.unstar", {}, { id })
  await ask("projects.languages", {}, { id })
  await ask("projects.archive", {}, { id })
  await ask("projects.unarchive", {}, { id })
  await askParts({ id, user_id })
  await askParent("Project", id)
  await askIssues(id, group)
  await ask("projects.delete", {}, { id: theirs })
}

/** What belongs to a project or to a group. */
const askParent = async (kind: "Project" | "Group", id: unknown) => {
  const named = { id, name: "bug" }
  await ask(`labels.addTo${kind}`, { json: { name: "bug", color: "red", description: "d" } }, named)
  for (const sent of [{}, { query: { with_counts: "true" } }]) await ask(`labels.listOf${kind}`, sent, named)
  await ask(`labels.readOf${kind}`, {}, named)
  await ask(`labels.changeOf${kind}`, { json: { color: "#fff" } }, named)
  await ask(`labels.changeNamedOf${kind}`, { json: { name: "bug", color: "#000" } }, { id })
  await ask(`labels.removeFrom${kind}`, {}, named)
  await service.request("POST", `/${kind.toLowerCase()}s/${id}/labels`, { json: { name: "bug", color: "red" } })
  await ask(`labels.removeNamedFrom${kind}`, { query: { name: "bug" } }, { id })
  const days = { start_date: "2026-01-01", due_date: "2026-12-31" }
  const made = await ask(`milestones.addTo${kind}`, { json: { title: "1.0", description: "d", ...days } }, { id })
  const milestone = { id, milestone_id: field(made, "id") }
  for (const sent of [{}, { query: { include_ancestors: "true" } }]) await ask(`milestones.listOf${kind}`, sent, milestone)
  await ask(`milestones.readOf${kind}`, {}, milestone)
  await ask(`milestones.changeOf${kind}`, { json: { state_event: "close" } }, milestone)
  await ask(`milestones.removeFrom${kind}`, {}, milestone)
}

const askIssues = async (id: unknown, group: unknown) => {
  const milestone = await service.request("POST", `/projects/${id}/milestones`, { json: { title: "2.0" } })
  const milestone_id = field(milestone.body, "id")
  const json = { title: "a", description: "- [ ] b", labels: "c,d", assignee_ids: [1], due_date: "2026-12-31", milestone_id }
  const issue = { id, issue_iid: field(await ask("issues.create", { json }, { id }), "iid") }
  await ask("issues.create", { json: { title: "bare" } }, { id })
  await ask("issues.change", { json: { state_event: "close" } }, issue)
  await ask("issues.read", {}, issue)
  for (const sent of [{}, { query: { with_labels_details: "true" } }]) await ask("issues.listOfProject", sent, { id })
  await ask("issues.list")
  await ask("issues.listOfGroup", {}, { id: group })
  await ask("issues.listOfProjectMilestone", {}, { id, milestone_id })
  const { body: ofGroup } = await service.request("POST", `/groups/${group}/milestones`, { json: { title: "2.0" } })
  await ask("issues.listOfGroupMilestone", {}, { id: group, milestone_id: field(ofGroup, "id") })
  const award_id = field(await ask("issues.award", { json: { name: "thumbsup" } }, issue), "id")
  await ask("issues.listAwards", {}, issue)
  await ask("issues.readAward", {}, { ...issue, award_id })
  await ask("issues.takeAwardBack", {}, { ...issue, award_id })
  const [event] = [await ask("issues.stateEvents", {}, issue)].flat()
  await ask("issues.stateEvent", {}, { ...issue, event_id: field(event, "id") })
  const thread = await askNotesOf("issue", { id: issue.id, noteable_id: issue.issue_iid })
  await ask("issueDiscussions.deleteNote", {}, thread)
  await ask("issues.delete", {}, issue)
}

/** What belongs to a project. */
const askParts = async (ids: Readonly<Record<string, unknown>>) => {
  await ask("projects.addMember", { json: { user_id: ids.user_id, access_level: 20 } }, ids)
  await ask("projects.changeMember", { json: { access_level: 30, expires_at: "2999-01-01" } }, ids)
  for (const name of ["listMembers", "listAllMembers", "readMember", "readAnyMember", "removeMember"]) {
    await ask(`projects.${name}`, {}, ids)
  }
  const named = { ...ids, name: "main" }
  await ask("projects.protectBranch", { json: { name: "main" } }, ids)
  await ask("projects.changeProtectedBranch", { json: { allow_force_push: true } }, named)
  for (const name of ["listProtectedBranches", "readProtectedBranch", "unprotectBranch"]) await ask(`projects.${name}`, {}, named)
  await ask("projects.protectTag", { json: { name: "main" } }, ids)
  for (const name of ["listProtectedTags", "readProtectedTag", "unprotectTag"]) await ask(`projects.${name}`, {}, named)
  const added = await ask("keys.addToProject", { json: { title: "ci", key: otherEd25519.text } }, ids)
  const key = { ...ids, key_id: field(added, "id") }
  await ask("keys.enableForProject", {}, key)
  await ask("keys.changeOfProject", { json: { can_push: true } }, key)
  await ask("keys.listDeployKeys")
  for (const name of ["listOfProject", "readOfProject", "removeFromProject"]) await ask(`keys.${name}`, {}, key)
}

it("every endpoint is asked", () => {
  expect([...answers.keys()].sort()).toEqual(endpoints.map(({ name }) => name).sort())
})

describe.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))("%s", (name, endpoint) => {
  it("answers as its contract says: statuses, keys and their order, kinds", () => {
    const declared = new Map(successesOf(endpoint).map(({ body, status }) => [status, body]))
    const received = answers.get(name) ?? []
    expect(new Set(received.map(({ status }) => status))).toEqual(new Set(declared.keys()))
    for (const answer of received) {
      const body = [...declared].find(([status]) => status === answer.status)?.[1]
      if (body === undefined) {
        expect(answer.body).toBeUndefined()
        continue
      }
      const shape = Schema.make<Schema.Codec<unknown>>(body.ast)
      const decode = Schema.decodeUnknownResult(shape, { onExcessProperty: "error", errors: "all" })
      const decoded = decode(answer.body)
      expect(Result.isFailure(decoded) ? String(decoded.failure) : undefined).toBeUndefined()
      expectExactly(answer.body, Result.getOrUndefined(decoded))
    }
  })
})
