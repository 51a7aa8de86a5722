import { Effect } from "effect"
import { awardAggregate } from "#src/awardEmoji/aggregate.ts"
import type { Awardable } from "#src/awardEmoji/ids.ts"
import { deploymentAggregate } from "#src/deployments/aggregate.ts"
import { environmentAggregate } from "#src/deployments/environments/aggregate.ts"
import { environmentKey } from "#src/deployments/names.ts"
import { groupAggregate } from "#src/groups/aggregate.ts"
import { defaultAttributes } from "#src/groups/attributes.ts"
import { issueAggregate } from "#src/issues/aggregate.ts"
import type { Visibility } from "#src/kernel/visibility.ts"
import { deployKeyAggregate } from "#src/keys/deployKey/aggregate.ts"
import { parseSshPublicKey } from "#src/keys/sshPublicKey.ts"
import { userKeyAggregate } from "#src/keys/userKey/aggregate.ts"
import { labelAggregate } from "#src/labels/aggregate.ts"
import { type MemberEvent, MemberEvent as members } from "#src/members/events.ts"
import { blocksAggregate } from "#src/mergeRequests/blocks/aggregate.ts"
import { mergeRequestAggregate } from "#src/mergeRequests/decisions/aggregate.ts"
import type { MergeRequestKey } from "#src/mergeRequests/ids.ts"
import { subscriptionAggregate } from "#src/mergeRequests/participation/aggregate.ts"
import { milestoneAggregate } from "#src/milestones/aggregate.ts"
import { discussionAggregate } from "#src/notes/aggregate.ts"
import { discussionIdOf } from "#src/notes/discussionIds.ts"
import type { Noteable } from "#src/notes/ids.ts"
import type { Parent } from "#src/parents/Parent.ts"
import { pipelineAggregate } from "#src/pipelines/aggregate.ts"
import type { Command as PipelineCommand } from "#src/pipelines/commands.ts"
import { handle } from "#src/platform/Commands.ts"
import { nextId } from "#src/platform/Ids.ts"
import { projectAggregate } from "#src/projects/aggregate.ts"
import type { ProjectEvent } from "#src/projects/events.ts"
import { defaultSettings, type SettingsChanges } from "#src/projects/settings/settings.ts"
import { starAggregate } from "#src/projects/stars/aggregate.ts"
import { scheduleAggregate } from "#src/schedules/aggregate.ts"
import { todoAggregate } from "#src/todos/aggregate.ts"
import type { Waiting } from "#src/todos/ids.ts"
import { issueToken } from "#src/tokens/issue/issue.ts"
import { userAggregate } from "#src/users/aggregate.ts"
import { newProfile } from "#src/users/profile.ts"
import { attributes as issueAttributes } from "#test/issues/samples.ts"
import { lineOf, withFields } from "#test/keys/sshLines.ts"
import { attributes, version as mergeRequestVersion } from "#test/mergeRequests/samples.ts"
import { job as newJob } from "#test/pipelines/samples.ts"
import { create as createSchedule, settings as scheduleSettings, variable } from "#test/schedules/samples.ts"

// What a matrix needs much of, made by commands without waiting until it is shown, and without reserving names.

export const root = 1

export const newUser = Effect.fnUntraced(function* (
  username: string,
  { admin = false, external = false }: { readonly admin?: boolean; readonly external?: boolean } = {}
) {
  const id = yield* nextId("user")
  yield* handle(userAggregate, id, {
    _tag: "Create",
    username,
    email: `${username}@example.com`,
    admin,
    confirmed: true,
    createdBy: root,
    profile: newProfile(username, { external }),
    passwordDigest: null,
    namespaceId: yield* nextId("namespace")
  })
  return id
})

export const newToken = Effect.fnUntraced(function* (userId: number, ...scopes: ReadonlyArray<string>) {
  const { id, text } = yield* issueToken({ userId, name: "of the matrix", scopes, expiresAt: null, rotatedFrom: null })
  return { id, text }
})

export const newGroup = Effect.fnUntraced(function* (path: string, visibility: Visibility, parentId: number | null = null) {
  const id = yield* nextId("namespace")
  const attributes = { ...defaultAttributes(path), visibility }
  yield* handle(groupAggregate, id, {
    _tag: "Create",
    path,
    parentId,
    ancestors: parentId === null ? 0 : 1,
    parentVisibility: parentId === null ? null : visibility,
    attributes,
    createdBy: root,
    pathTaken: false
  })
  return id
})

/** Makes a project without a repository. */
export const newProject = Effect.fnUntraced(function* (path: string, namespaceId: number, settings: SettingsChanges) {
  const id = yield* nextId("project")
  yield* handle(projectAggregate, id, {
    _tag: "Create",
    namespaceId,
    creatorId: root,
    ownerId: null,
    path,
    defaultBranch: null,
    settings: { ...defaultSettings(path), ...settings },
    forkedFrom: null,
    content: null,
    ceilings: []
  })
  return id
})

export const joining = (userId: number, accessLevel: number): MemberEvent =>
  members.cases.MemberAdded.make({ userId, accessLevel, expiresAt: null, addedBy: root })

/** The invitation of a group, as Guests. */
export const sharing = (groupId: number) =>
  Effect.map(nextId("group_share"), (id) => members.cases.SharedWithGroup.make({ id, groupId, accessLevel: 10, expiresAt: null }))

export const newStar = (projectId: number, userId: number) =>
  handle(starAggregate, { projectId, userId }, { _tag: "Star", projectId, userId })

/** The branches or tags of a name or pattern, for Maintainers. */
export const protecting = Effect.fnUntraced(function* (kind: "branch" | "tag", name: string) {
  const grant = Effect.map(nextId("protected_ref_access"), (id) => [{ id, accessLevel: 40 }])
  const [id, push, merge] = [yield* nextId("protected_ref"), yield* grant, kind === "branch" ? yield* grant : []]
  const event: ProjectEvent = { _tag: "RefProtected", protection: { id, kind, name, allowForcePush: false, push, merge } }
  return event
})

/** A pipeline of a commit of `topic`, in which a status and a job wait, and others are manual, canceled and under way. */
export const newPipeline = Effect.fnUntraced(function* (projectId: number, sha: string, iid: number) {
  const [id, statusId, claim] = [yield* nextId("pipeline"), yield* nextId("job"), yield* nextId("job_claim")]
  const jobs = {
    manual: newJob(yield* nextId("job"), "manual", { when: "manual" }),
    waiting: newJob(yield* nextId("job"), "waiting"),
    canceled: newJob(yield* nextId("job"), "canceled"),
    running: newJob(yield* nextId("job"), "running")
  }
  const pipeline = { projectId, iid, sha, ref: "topic", isTag: false, source: "push", createdBy: root } as const
  const said = { name: "of the matrix", ref: "topic", postedBy: root, status: "pending", details: {} } as const
  const send = (command: PipelineCommand) => handle(pipelineAggregate, id, command)
  yield* send({ _tag: "Create", pipeline, jobs: Object.values(jobs) })
  yield* send({ _tag: "PostStatus", id: statusId, ...said, maxJobs: 10 })
  yield* send({ _tag: "CancelJob", id: jobs.canceled.id })
  yield* send({ _tag: "ClaimJob", id: jobs.running.id, claim, executor: "of the matrix", by: root })
  const { canceled, manual, running, waiting } = jobs
  return { id, claim, jobs: { manual: manual.id, waiting: waiting.id, canceled: canceled.id, running: running.id } }
})

/** A schedule for `topic`, with a variable that cannot be read: nothing is sealed here. */
export const newSchedule = Effect.fnUntraced(function* (projectId: number, ownerId: number) {
  const id = yield* nextId("pipeline_schedule")
  const settings = { ...scheduleSettings, ref: "refs/heads/topic" }
  yield* handle(scheduleAggregate, id, { ...createSchedule, projectId, ownerId, settings })
  yield* handle(scheduleAggregate, id, { _tag: "AddVariable", key: "KEY", variable })
  return id
})

/** A label. */
export const newLabel = Effect.fnUntraced(function* (parent: Parent, title: string) {
  const settings = { title, description: null, color: "#FFFFFF", priority: null }
  yield* handle(labelAggregate, yield* nextId("label"), { _tag: "Create", parent, settings, titleTaken: false })
})

export const newMilestone = Effect.fnUntraced(function* (parent: Parent, title: string, iid: number) {
  const id = yield* nextId("milestone")
  const settings = { title, description: null, startDate: null, dueDate: null }
  yield* handle(milestoneAggregate, id, { _tag: "Create", parent, iid, settings, titleTaken: false })
  return id
})

export const newIssue = Effect.fnUntraced(function* (projectId: number, iid: number) {
  const id = yield* nextId("issue")
  const attributes = { ...issueAttributes, assigneeIds: [], labelIds: [] }
  yield* handle(issueAggregate, { projectId, iid }, { _tag: "Open", id, authorId: root, attributes })
  return iid
})

/** An issue to which some users awarded something, and which is closed; answers the position of that in the log too. */
export const newAwardedIssue = Effect.fnUntraced(function* (projectId: number, iid: number, userIds: Iterable<number>) {
  const [id, key] = [yield* nextId("issue"), { projectId, iid }]
  const attributes = { ...issueAttributes, assigneeIds: [], labelIds: [] }
  yield* handle(issueAggregate, key, { _tag: "Open", id, authorId: root, attributes })
  const awards = new Map<number, number>()
  for (const user of new Set(userIds)) awards.set(user, yield* newAward({ type: "Issue", id }, user))
  const closed = yield* handle(issueAggregate, key, { _tag: "Update", by: root, changes: {}, transition: "close" })
  return { iid, awards, closed: closed.position }
})

interface Proposal {
  readonly projectId: number
  readonly iid: number
  readonly branch: string
  readonly head: string
  readonly base: string
  readonly start: string
  /** Something that it has, and somebody who hears of it. */
  readonly milestone?: number
  readonly subscriber?: number
}

/** A merge request into `main`, with a version. */
export const newMergeRequest = Effect.fnUntraced(function* (proposal: Proposal) {
  const { base, branch, head, iid, milestone, projectId, start, subscriber } = proposal
  const [id, versionId, key] = [yield* nextId("merge_request"), yield* nextId("merge_request_version"), { projectId, iid }]
  const source = { projectId, branch }
  const [labelEvent, milestoneEvent] = [
    yield* nextId("merge_request_label_event"),
    yield* nextId("merge_request_milestone_event")
  ]
  const labeling = {
    labelEventId: labelEvent,
    labels: { added: [1] },
    milestoneEventId: milestoneEvent,
    milestoneId: milestone ?? null
  }
  const opening = { id, authorId: root, source, sourceSha: head, attributes, labeling }
  yield* handle(mergeRequestAggregate, key, { _tag: "Open", ...opening })
  if (subscriber !== undefined) yield* handle(subscriptionAggregate, { ...key, userId: subscriber }, { _tag: "Subscribe" })
  const version = { ...mergeRequestVersion, headSha: head, baseSha: base, startSha: start }
  yield* handle(mergeRequestAggregate, key, { _tag: "AddVersion", id: versionId, previous: undefined, version })
  // What it waits for is not there, so that it waits for nothing.
  const blockId = yield* nextId("merge_request_block")
  yield* handle(blocksAggregate, key, { _tag: "Block", id: blockId, by: root, blocking: { projectId, iid: 0 } })
  return { id, iid, versionId, labelEvent, milestoneEvent, blockId }
})

/** Approves a merge request for some users. */
export const approving = (key: MergeRequestKey, userIds: Iterable<number>) =>
  Effect.forEach(new Set(userIds), (by) => handle(mergeRequestAggregate, key, { _tag: "Approve", by }), { discard: true })

/** A rule of approvals of a merge request. */
export const newApprovalRule = Effect.fnUntraced(function* (key: MergeRequestKey, name: string) {
  const rule = { id: yield* nextId("approval_rule"), name, userIds: [root], approvalsRequired: 1 }
  yield* handle(mergeRequestAggregate, key, { _tag: "AddApprovalRule", rule })
  return rule.id
})

/** Closes a merge request; answers the position of that in the log. */
export const closing = Effect.fnUntraced(function* (key: MergeRequestKey) {
  const closed = yield* handle(mergeRequestAggregate, key, { _tag: "Update", by: root, changes: {}, transition: "close" })
  return closed.position
})

/** Something is awarded by a user; answers the id of that. */
export const newAward = Effect.fnUntraced(function* (awardable: Awardable, by: number) {
  const id = yield* nextId("award_emoji")
  yield* handle(awardAggregate, awardable, { _tag: "Award", id, by, name: `by_${by}` })
  return id
})

/** Something waits for a user; answers the id of the to-do. */
export const newTodo = Effect.fnUntraced(function* (waiting: Waiting) {
  const id = yield* nextId("todo")
  yield* handle(todoAggregate, waiting, { _tag: "Add", id, action: "assigned", authorId: root, cause: { position: 0 } })
  return id
})

const newEnvironment = Effect.fnUntraced(function* (projectId: number, name: string) {
  const id = yield* nextId("environment")
  const settings = { slug: name, externalUrl: null, tier: "other" } as const
  yield* handle(environmentAggregate, environmentKey({ projectId, name }), { _tag: "Create", id, by: root, name, ...settings })
  return id
})

/** An environment that may be deleted. */
export const newStoppedEnvironment = Effect.fnUntraced(function* (projectId: number, name: string) {
  const id = yield* newEnvironment(projectId, name)
  yield* handle(environmentAggregate, environmentKey({ projectId, name }), { _tag: "Stop", id, by: root })
  return id
})

/** An environment with a deployment that runs; answers the ids of both. */
export const newDeployment = Effect.fnUntraced(function* (projectId: number, sha: string) {
  const [environment, deployment] = [yield* newEnvironment(projectId, "kept"), yield* nextId("deployment")]
  const deployed = { ref: "topic", isTag: false, sha, status: "running", mergeRequestIids: [] } as const
  const place = { iid: 1, projectId, environmentId: environment, by: root }
  yield* handle(deploymentAggregate, deployment, { _tag: "Create", ...place, ...deployed })
  return { environment, deployment }
})

/** A thread about the first merge request or issue of a project, with one note. */
export const newThread = Effect.fnUntraced(function* (type: Noteable["type"], projectId: number) {
  const id = yield* nextId("note")
  const note = { authorId: root, body: "Of the matrix", createdAt: undefined, isInternal: false, position: null }
  const key = { type, projectId, iid: 1, rootId: id }
  yield* handle(discussionAggregate, key, { _tag: "Start", noteId: id, isThread: true, ...note })
  return { id, discussion: discussionIdOf(id) }
})

/** A note to which some users awarded something. */
export const newAwardedNote = Effect.fnUntraced(function* (type: Noteable["type"], projectId: number, userIds: Iterable<number>) {
  const { id } = yield* newThread(type, projectId)
  const awards = new Map<number, number>()
  for (const user of new Set(userIds)) awards.set(user, yield* newAward({ type: "Note", id }, user))
  return { id, awards }
})

let keysMade = 0
/** The text of a key that is not there yet. */
export const newKeyText = (): string => {
  const bytes = Buffer.alloc(32, 7)
  bytes.writeUInt32BE(++keysMade)
  return lineOf("ssh-ed25519", withFields("ssh-ed25519", bytes))
}

const newKeyAttributes = () => {
  const key = parseSshPublicKey(newKeyText())
  if (key === undefined) throw new Error("No key")
  const { fingerprint, fingerprintSha256, text } = key
  return { title: "of the matrix", key: text, fingerprint, fingerprintSha256, expiresAt: null }
}

export const newUserKey = Effect.fnUntraced(function* (userId: number) {
  const id = yield* nextId("key")
  const key = newKeyAttributes()
  yield* handle(userKeyAggregate, id, { _tag: "Add", key: { ...key, userId, usageType: "auth" } })
  return { id, fingerprint: `SHA256:${key.fingerprintSha256}` }
})

/** A deploy key that a project uses, or a public one. */
export const newDeployKey = Effect.fnUntraced(function* (projectId?: number) {
  const id = yield* nextId("key")
  const key = { ...newKeyAttributes(), creatorId: root, public: projectId === undefined }
  const linkId = yield* nextId("deploy_key_project")
  const used = projectId === undefined ? {} : { use: { projectId, linkId, canPush: false } }
  yield* handle(deployKeyAggregate, id, { _tag: "Create", key, ...used })
  return id
})
