import { expect, it } from "vitest"
import { waitedFor, waitingFor } from "#src/mergeRequests/autoMerge/waitingFor.ts"
import type { AutoMergesOf } from "#src/mergeRequests/Queries.ts"
import { recordedEvent } from "#test/support/recordedEvent.ts"

const [project, group, user, pipeline] = ["project-4", "group-5", "user-9", "pipeline-7"]
const member = { userId: 9, accessLevel: 40, expiresAt: null }
const share = { id: 3, groupId: 6, accessLevel: 40, expiresAt: null }
const ofProject = { projectId: 4, mayLackRights: true } as const
const ofUser = { setBy: 9, mayLackRights: true } as const
const protection = (kind: "branch" | "tag") => ({
  protection: { id: 1, kind, name: "main", allowForcePush: false, push: [], merge: [] }
})
const changed = (changes: object): [string, string, object] => [project, "ProjectSettingsChanged", { changes }]

it.each<readonly [stream: string, type: string, data: object, expected: AutoMergesOf | undefined]>([
  [pipeline, "PipelineMoved", { status: "success", isStart: false }, { pipelineId: 7 }],
  [pipeline, "PipelineMoved", { status: "skipped", isStart: false }, { pipelineId: 7 }],
  [pipeline, "PipelineMoved", { status: "failed", isStart: false }, undefined],
  ["mergeRequest-4-3", "MergeRequestMerged", { by: 9, mergeSha: null, squashSha: null }, { behind: { projectId: 4, iid: 3 } }],
  ["mergeRequest-4-3", "MergeRequestDeleted", {}, { behind: { projectId: 4, iid: 3 } }],
  ["mergeRequestBlocks-4-3", "MergeRequestUnblocked", { id: 1, by: 9 }, { projectId: 4, iid: 3 }],
  [project, "ProjectDeleted", {}, { behind: { projectId: 4 } }],
  [...changed({ mergeMethod: "ff" }), { projectId: 4 }],
  [...changed({ onlyAllowMergeIfPipelineSucceeds: false, visibility: "public" }), { projectId: 4 }],
  [...changed({ mergeRequestsAccessLevel: "enabled" }), ofProject],
  [...changed({ visibility: "public" }), ofProject],
  [...changed({ description: "A" }), undefined],
  [project, "ProjectTransferred", { from: 5, to: 6, path: "a" }, ofProject],
  [project, "ProjectUnarchived", {}, ofProject],
  [project, "RefProtected", protection("branch"), ofProject],
  [project, "RefProtectionChanged", protection("branch"), ofProject],
  [project, "RefProtected", protection("tag"), undefined],
  [project, "RefUnprotected", { id: 1, kind: "branch", name: "main" }, ofProject],
  [project, "RefUnprotected", { id: 1, kind: "tag", name: "v1" }, undefined],
  [project, "MemberAdded", { ...member, addedBy: 1 }, { projectId: 4, ...ofUser }],
  [project, "MemberChanged", member, { projectId: 4, ...ofUser }],
  [project, "MemberRemoved", { userId: 9 }, undefined],
  [project, "SharedWithGroup", share, ofProject],
  [group, "MemberAdded", { ...member, addedBy: 1 }, ofUser],
  [group, "MemberChanged", member, ofUser],
  [group, "SharedWithGroup", share, { groupId: 5, mayLackRights: true }],
  [group, "GroupTransferred", { from: null, to: 6, path: "a" }, { groupId: 5, mayLackRights: true }],
  [group, "SharingEnded", { groupId: 6 }, undefined],
  [user, "UserUnblocked", {}, ofUser],
  [user, "UserUnbanned", {}, ofUser],
  [user, "UserActivated", {}, ofUser],
  [user, "AdministratorGranted", {}, ofUser],
  [user, "UserBlocked", {}, undefined]
])("%s: %s %j", (stream, type, data, expected) => {
  const found = waitingFor(recordedEvent({ type, schemaVersion: 1, data }, stream))
  expect(found).toEqual(expected)
  if (found !== undefined) expect(waitedFor).toContain(type)
})
