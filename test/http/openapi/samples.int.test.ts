import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { performExport } from "#src/exports/work/performExport.ts"
import { defined } from "#src/kernel/defined.ts"
import { entriesOf, zipOf } from "#test/pages/archives.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { type Sent, type TestService, useService } from "#test/support/service.ts"
import { addUpload } from "#test/uploads/addUpload.ts"
import { isDocument, type Sample, samplesOf } from "./documentSamples.ts"

/** What samples that create things answer, in an order in which each finds what it names. */
const creations = [
  ["users.create", 201],
  ["personalAccessTokens.create", 201],
  ["keys.addOwn", 201],
  ["keys.addForUser", 201],
  ["keys.createDeployKey", 201],
  ["clusters.add", 201],
  ["groups.create", 201],
  ["projects.create", 201],
  ["projects.createForUser", 201],
  ["projects.fork", 201],
  ["keys.addToProject", 201],
  ["repositories.createFile", 201],
  ["repositories.createBranch", 201],
  ["repositories.createCommit", 201],
  ["repositories.createTag", 201],
  ["repositories.commentCommit", 201],
  ["projects.protectBranch", 201],
  ["projects.protectTag", 201],
  ["pipelines.create", 201],
  ["pipelines.postCommitStatus", 201],
  ["pipelineSchedules.create", 201],
  ["pipelineSchedules.addVariable", 201],
  ["labels.addToProject", 201],
  ["labels.addToGroup", 201],
  ["milestones.addToProject", 201],
  ["milestones.addToGroup", 201],
  ["issues.create", 201],
  ["mergeRequests.create", 201],
  ["mergeRequests.addApprovalRule", 201],
  ["mergeRequests.award", 201],
  ["issues.award", 201],
  ["todos.addForMergeRequest", 201],
  ["deployments.createEnvironment", 201],
  ["deployments.create", 201],
  ["pages.deploy", 201],
  ["uploads.add", 201],
  ["exports.request", 202],
  ["releases.create", 201],
  ["releases.addLink", 201],
  ["mergeRequestNotes.create", 201],
  ["mergeRequestNotes.award", 201],
  ["mergeRequestDiscussions.create", 201],
  ["mergeRequestDiscussions.reply", 201],
  ["issueNotes.create", 201],
  ["issueNotes.award", 201],
  ["issueDiscussions.create", 201],
  ["issueDiscussions.reply", 201],
  ["groups.addMember", 201],
  ["projects.addMember", 201]
] as const

const changes = [
  ["users.update", 200],
  ["users.block", 201],
  ["users.unblock", 201],
  ["users.deactivate", 201],
  ["users.activate", 201],
  ["users.ban", 201],
  ["users.unban", 201],
  ["personalAccessTokens.rotate", 200],
  ["personalAccessTokens.rotateSelf", 200],
  ["clusters.change", 200],
  ["groups.update", 200],
  ["groups.changeMember", 200],
  ["groups.share", 201],
  ["projects.change", 200],
  ["projects.changeMember", 200],
  ["projects.share", 201],
  ["projects.archive", 201],
  ["projects.unarchive", 201],
  ["projects.star", 201],
  ["projects.unstar", 201],
  ["projects.changeProtectedBranch", 200],
  ["keys.changeOfProject", 200],
  ["keys.enableForProject", 201],
  ["repositories.protectBranch", 200],
  ["repositories.unprotectBranch", 200],
  ["repositories.updateFile", 200],
  ["repositories.commitChangelog", 200],
  ["repositories.cherryPick", 201],
  ["repositories.revert", 201],
  ["pipelines.rename", 200],
  ["jobs.play", 200],
  ["jobs.claim", 201],
  ["jobs.heartbeat", 200],
  ["jobs.finish", 200],
  ["jobs.cancel", 201],
  ["jobs.retry", 201],
  ["pipelines.cancel", 200],
  ["pipelines.retry", 201],
  ["pipelineSchedules.change", 200],
  ["pipelineSchedules.takeOwnership", 200],
  ["pipelineSchedules.changeVariable", 200],
  ["pipelineSchedules.play", 201],
  ["labels.changeOfProject", 200],
  ["labels.changeOfGroup", 200],
  ["labels.changeNamedOfProject", 200],
  ["labels.changeNamedOfGroup", 200],
  ["milestones.changeOfProject", 200],
  ["milestones.changeOfGroup", 200],
  ["mergeRequests.change", 200],
  ["mergeRequests.createPipeline", 200],
  ["issues.change", 200],
  ["mergeRequests.unsubscribe", 201],
  ["mergeRequests.subscribe", 201],
  ["mergeRequests.cancelAutoMerge", 201],
  ["mergeRequests.estimateTime", 200],
  ["mergeRequests.addSpentTime", 201],
  ["mergeRequests.resetTimeEstimate", 200],
  ["mergeRequests.resetSpentTime", 200],
  ["mergeRequests.rebase", 202],
  ["todos.markAsDone", 201],
  ["todos.markAllAsDone", 204],
  ["mergeRequests.approve", 201],
  ["mergeRequests.unapprove", 201],
  ["mergeRequests.resetApprovals", 202],
  ["mergeRequests.removeApprovalRule", 204],
  ["deployments.change", 200],
  ["deployments.changeEnvironment", 200],
  ["deployments.stopEnvironment", 200],
  ["pages.change", 200],
  ["releases.change", 200],
  ["releases.changeLink", 200],
  ["mergeRequestNotes.change", 200],
  ["issueNotes.change", 200],
  ["issueDiscussions.changeNote", 200],
  ["mergeRequestDiscussions.changeNote", 200],
  ["mergeRequestDiscussions.resolve", 200],
  ["mergeRequests.merge", 200],
  ["mergeRequests.createBlock", 201],
  ["mergeRequests.addContextCommits", 201]
] as const

const deletions = [
  ["deployments.deleteEnvironment", 204],
  ["pages.unpublish", 204],
  ["uploads.removeNamed", 204],
  ["uploads.remove", 204],
  ["releases.removeLink", 200],
  ["releases.delete", 200],
  ["labels.removeFromProject", 204],
  ["labels.removeFromGroup", 204],
  ["labels.removeNamedFromProject", 400, { error: "label_id, name are missing, exactly one parameter must be provided" }],
  ["labels.removeNamedFromGroup", 204],
  ["milestones.removeFromProject", 204],
  ["milestones.removeFromGroup", 204],
  ["mergeRequests.deleteBlock", 204],
  ["mergeRequests.removeContextCommits", 204],
  ["mergeRequests.takeAwardBack", 204],
  ["mergeRequestNotes.takeAwardBack", 204],
  ["mergeRequestNotes.delete", 204],
  ["mergeRequestDiscussions.deleteNote", 204],
  ["mergeRequests.delete", 204],
  ["issues.takeAwardBack", 204],
  ["issueNotes.takeAwardBack", 204],
  ["issueNotes.delete", 204],
  ["issueDiscussions.deleteNote", 204],
  ["issues.delete", 204],
  ["pipelineSchedules.removeVariable", 202],
  ["pipelineSchedules.delete", 200],
  ["pipelines.delete", 204],
  ["repositories.deleteFile", 204],
  ["repositories.deleteTag", 204],
  ["repositories.deleteBranch", 204],
  ["repositories.deleteMergedBranches", 202],
  ["projects.unprotectTag", 204],
  ["projects.unprotectBranch", 204],
  ["projects.unshare", 204],
  ["projects.removeMember", 204],
  ["keys.removeFromProject", 204],
  ["keys.deleteOfUser", 204],
  ["keys.deleteOwn", 204],
  ["personalAccessTokens.revoke", 204],
  ["personalAccessTokens.revokeSelf", 204],
  ["clusters.delete", 204],
  ["groups.unshare", 204],
  ["groups.removeMember", 204],
  ["projects.transfer", 200],
  ["groups.bringProject", 201],
  ["projects.delete", 202],
  ["groups.transfer", 201],
  ["groups.delete", 202],
  ["users.delete", 204]
] as const

/** Nothing is signed or recorded, and nobody knows the ids of changes of states before. */
const absent: ReadonlyMap<string, string> = new Map([
  ["repositories.commitSignature", "404 Signature Not Found"],
  ["repositories.tagSignature", "404 Signature Not Found"],
  ["mergeRequests.stateEvent", "404 Not found"],
  ["issues.stateEvent", "404 Not found"],
  ["releases.readEvidence", "404 Not found"]
])

/** These lead elsewhere. */
const leading: ReadonlySet<string> = new Set(["releases.latest", "releases.belowLatest", "releases.download"])

/** What is sent where the body is a file. */
const files: ReadonlyMap<string, Sent> = new Map<string, Sent>([
  ["pages.deploy", { file: zipOf(entriesOf({ "index.html": "a" })) }],
  ["uploads.add", { multipart: { file: new File(["a"], "a.txt") } }]
])

const bodyOf = ({ body, operationId }: Sample, encoding: string): Sent => {
  if (body === undefined) return files.get(operationId) ?? {}
  if (encoding === "application/json") return { json: body }
  return { form: Object.entries(body).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)] as const)) }
}

const makeSender = (service: TestService, encoding: string) => {
  const made = (path: string, json: unknown) => service.request("POST", path, { json })
  const spareToken = async (): Promise<Sent> => {
    const { body } = await made("/users/1/personal_access_tokens", { name: "spare", scopes: ["api"] })
    return { token: String(Object(body).token) }
  }
  const configure = (branch: string) =>
    made("/projects/1/repository/files/.gitlab-ci.yml", {
      branch,
      commit_message: "Configure",
      content: "ask:\n  script: make\n  when: manual\nreview:\n  script: make\n  only: [merge_requests]\n"
    })
  /** Ends the rebase, which nothing is merged before. */
  const reopen = async () => {
    for (const state_event of ["close", "reopen"])
      await service.request("PUT", "/projects/1/merge_requests/1", { json: { state_event } })
  }
  /** Adds an upload at the place that the document names, which nobody could have for a new one. */
  const addKnown = () => service.run(Effect.andThen(addUpload(1, "66dbcd21ec5d24ed6ea225176098d52b", "dk.png"), settled))
  /** Opens another merge request. */
  const another = () => made("/projects/1/merge_requests", { title: "Another", source_branch: "main", target_branch: "feature" })
  /** What is to be done so that a sample can be carried out. */
  const preparations: Readonly<Record<string, () => Promise<unknown>>> = {
    "pipelines.create": () => configure("main"),
    "mergeRequests.createPipeline": () => configure("feature"),
    "mergeRequests.merge": reopen,
    "mergeRequests.createBlock": another,
    "exports.download": () => service.run(Effect.andThen(performExport(1), settled)),
    "labels.removeNamedFromGroup": () => made("/groups/example-group/labels", { name: "security", color: "#000" }),
    "uploads.readNamed": addKnown,
    "uploads.removeNamed": addKnown,
    "projects.create": () => made("/groups", { name: "Other group", path: "other-group" }),
    "groups.bringProject": () => service.request("PUT", "/projects/1/transfer", { json: { namespace: "root" } }),
    "groups.delete": () => made("/groups/other-group%2Fexample-group/transfer", {})
  }
  return async (sample: Sample) => {
    await preparations[sample.operationId]?.()
    const own = sample.path.includes("/self") && sample.method !== "GET" ? await spareToken() : {}
    const sent = { query: sample.query, ...bodyOf(sample, encoding), ...own }
    const { body, headers, status } = await service.request(sample.method, sample.path, sent)
    const type = headers.get("content-type")?.split(";")[0] ?? []
    const types = sample.answers.get(status)
    const isListed = types !== undefined && [type].flat().every((each) => types.includes(each))
    return [sample.operationId, ...(isListed ? [] : ["not listed"]), status, ...(status < 400 ? [] : [body])]
  }
}

describe.each(["application/json", "application/x-www-form-urlencoded"])("samples with bodies as %s", (encoding) => {
  const service = useService()
  const send = makeSender(service, encoding)
  const samples = async (withDefaults = false) => {
    const { body } = await service.request("GET", "/-/openapi.json", { token: null })
    return isDocument(body) ? samplesOf(body, defined({ encoding, withDefaults })) : []
  }
  const answersTo = async (chosen: ReadonlyArray<Sample>) => {
    const answers: Array<unknown> = []
    for (const sample of chosen) answers.push(await send(sample))
    return answers
  }
  const named = async (story: ReadonlyArray<readonly [id: string, status: number, body?: unknown]>) => {
    const all = await samples()
    return story.flatMap(([id]) => all.find(({ operationId }) => operationId === id) ?? [])
  }

  it("are all sent here", async () => {
    const writes = (await samples()).filter(({ method }) => method !== "GET")
    const told = [...creations, ...changes, ...deletions].map(([id]) => id)
    expect(told.toSorted()).toEqual(writes.map(({ operationId }) => operationId).toSorted())
  })

  it("create things on a new installation", async () => {
    expect(await answersTo(await named(creations))).toEqual(creations)
  })

  it.each([false, true])("read what was created; with defaults: %s", async (withDefaults) => {
    const reads = (await samples(withDefaults)).filter(({ method }) => method === "GET")
    const answers = await answersTo(reads)
    expect(answers).toEqual(
      reads.map(({ operationId: id }) =>
        absent.has(id) ? [id, 404, { message: absent.get(id) }] : [id, leading.has(id) ? 302 : 200]
      )
    )
  })

  it("change what was created", async () => {
    expect(await answersTo(await named(changes))).toEqual(changes)
  })

  it("move and delete what was created", async () => {
    expect(await answersTo(await named(deletions))).toEqual(deletions)
  })
})
