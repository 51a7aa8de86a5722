import { beforeAll, describe, expect, it } from "vitest"
import { branchRoutes } from "#src/repositories/branchHandlers.ts"
import { commitRoutes } from "#src/repositories/commitHandlers.ts"
import { fileRoutes } from "#src/repositories/fileHandlers.ts"
import { tagRoutes } from "#src/repositories/tagHandlers.ts"
import type { Received, Sent } from "#test/support/service.ts"
import { rootToken } from "#test/support/service.ts"
import { useProjects } from "../projects/useProjects.ts"

const { newProject, newUser, service } = useProjects()

const levels = { Guest: 10, Reporter: 20, Developer: 30, Maintainer: 40, Owner: 50 } as const
const callers = [
  "anonymous",
  "external",
  "outsider",
  "Guest",
  "Reporter",
  "Developer",
  "Maintainer",
  "Owner",
  "administrator"
] as const
type Caller = (typeof callers)[number]
const projects = ["private", "internal", "public", "disabled", "members", "archived"] as const
type Project = (typeof projects)[number]

const tokens = new Map<Caller, string | null>([
  ["anonymous", null],
  ["administrator", rootToken]
])
const ids = new Map<Project, number>()

beforeAll(async () => {
  const members: Array<readonly [number, number]> = []
  const join = async (caller: Caller, attributes = {}) => {
    const { id, token } = await newUser(`user-${caller.toLowerCase()}`, attributes)
    tokens.set(caller, token)
    return id
  }
  await join("outsider")
  await join("external", { external: true })
  for (const [name, level] of Object.entries(levels)) members.push([await join(name as Caller), level])
  for (const project of projects) {
    const visibility = project === "private" || project === "internal" ? project : "public"
    const id = await newProject(project, { visibility })
    ids.set(project, id)
    for (const [user_id, access_level] of members) {
      await service.request("POST", `/projects/${id}/members`, { json: { user_id, access_level } })
    }
    const actions = [{ action: "create", file_path: "a", content: "a\n" }]
    await service.request("POST", `/projects/${id}/repository/commits`, {
      json: { branch: "main", commit_message: "m", actions }
    })
    await service.request("POST", `/projects/${id}/repository/branches`, { json: { branch: "work", ref: "main" } })
    await service.request("POST", `/projects/${id}/repository/tags`, { json: { tag_name: "v1", ref: "main" } })
    if (project === "disabled") await service.request("PUT", `/projects/${id}`, { json: { repository_access_level: "disabled" } })
    if (project === "members") await service.request("PUT", `/projects/${id}`, { json: { repository_access_level: "private" } })
    if (project === "archived") await service.request("POST", `/projects/${id}/archive`)
  }
})

interface Probe {
  readonly method: string
  readonly path: string
  readonly sent?: Sent
  /** Least role of who may write; of nobody's concern where it is a read. */
  readonly least?: number
  /** Of who has the role or not, but for those who may not even read. */
  readonly refused?: unknown
  /** What is answered where everything is allowed: nothing is ever written. */
  readonly passes: readonly [status: number, body?: unknown]
}

const { Developer, Maintainer } = levels
const ref = { query: { ref: "main" } }
const forbidden = { message: "403 Forbidden" }
const mayNotPush = { message: "403 Forbidden - You are not allowed to push into this branch" }
const file = { branch: "work", commit_message: "m", content: "" }
const nowhere = { actions: [{ action: "delete", file_path: "nothing" }], branch: "work", commit_message: "m" }
const noFile = { message: "A file with this name doesn't exist" }
const noCommit = { message: "404 Commit Not Found" }
const noBranch = { message: "404 Branch Not Found" }

/** Requests that change nothing even for those who may write. */
const probes: Readonly<Record<string, Probe>> = {
  "repositories.listBranches": { method: "GET", path: "branches", passes: [200] },
  "repositories.readBranch": { method: "GET", path: "branches/main", passes: [200] },
  "repositories.createBranch": {
    method: "POST",
    path: "branches",
    sent: { json: { branch: "main", ref: "main" } },
    least: Developer,
    passes: [400, { message: "Branch already exists" }]
  },
  "repositories.deleteBranch": { method: "DELETE", path: "branches/nothing", least: Developer, passes: [404, noBranch] },
  "repositories.deleteMergedBranches": { method: "DELETE", path: "merged_branches", least: Developer, passes: [202] },
  "repositories.protectBranch": { method: "PUT", path: "branches/nothing/protect", least: Maintainer, passes: [404, noBranch] },
  "repositories.unprotectBranch": {
    method: "PUT",
    path: "branches/nothing/unprotect",
    least: Maintainer,
    passes: [404, noBranch]
  },
  "repositories.listTags": { method: "GET", path: "tags", passes: [200] },
  "repositories.readTag": { method: "GET", path: "tags/v1", passes: [200] },
  "repositories.createTag": {
    method: "POST",
    path: "tags",
    sent: { json: { tag_name: "v1", ref: "main" } },
    least: Developer,
    passes: [400, { message: "Tag v1 already exists" }]
  },
  "repositories.deleteTag": {
    method: "DELETE",
    path: "tags/nothing",
    least: Developer,
    passes: [404, { message: "404 Tag Not Found" }]
  },
  "repositories.listCommits": { method: "GET", path: "commits", passes: [200] },
  "repositories.readCommit": { method: "GET", path: "commits/main", passes: [200] },
  "repositories.commitDiff": { method: "GET", path: "commits/main/diff", passes: [200] },
  "repositories.commitRefs": { method: "GET", path: "commits/main/refs", passes: [200] },
  "repositories.commitSequence": { method: "GET", path: "commits/main/sequence", passes: [200] },
  "repositories.commitComments": { method: "GET", path: "commits/main/comments", passes: [200] },
  "repositories.createCommit": {
    method: "POST",
    path: "commits",
    sent: { json: nowhere },
    least: Developer,
    refused: mayNotPush,
    passes: [400, noFile]
  },
  "repositories.cherryPick": {
    method: "POST",
    path: "commits/nothing/cherry_pick",
    sent: { json: { branch: "work" } },
    least: Developer,
    refused: mayNotPush,
    passes: [404, noCommit]
  },
  "repositories.revert": {
    method: "POST",
    path: "commits/nothing/revert",
    sent: { json: { branch: "work" } },
    least: Developer,
    refused: mayNotPush,
    passes: [404, noCommit]
  },
  "repositories.readFile": { method: "GET", path: "files/a", sent: ref, passes: [200] },
  "repositories.rawFile": { method: "GET", path: "files/a/raw", passes: [200] },
  "repositories.blameFile": { method: "GET", path: "files/a/blame", sent: ref, passes: [200] },
  "repositories.createFile": {
    method: "POST",
    path: "files/a",
    sent: { json: file },
    least: Developer,
    passes: [400, { message: "A file with this name already exists" }]
  },
  "repositories.updateFile": {
    method: "PUT",
    path: "files/nothing",
    sent: { json: file },
    least: Developer,
    passes: [400, noFile]
  },
  "repositories.deleteFile": {
    method: "DELETE",
    path: "files/nothing",
    sent: { json: file },
    least: Developer,
    passes: [400, noFile]
  }
}

/** Where a repository that is switched off is not there, rather than forbidden. */
const isHidden = (name: string) => /branch|commit|cherry|revert/i.test(name)
const isMember = (caller: Caller) => caller in levels || caller === "administrator"
const levelOf = (caller: Caller): number =>
  caller === "administrator" ? Number.POSITIVE_INFINITY : ((levels as Readonly<Record<string, number>>)[caller] ?? 0)

const expected = (name: string, { least, passes, refused = forbidden }: Probe, caller: Caller, project: Project) => {
  if (caller === "anonymous" && least !== undefined) return [401, { message: "401 Unauthorized" }]
  const mayRead =
    isMember(caller) || (project === "internal" && caller === "outsider") || (project !== "private" && project !== "internal")
  if (!mayRead) return [404, { message: "404 Project Not Found" }]
  if (project === "disabled" || (project === "members" && !isMember(caller))) {
    return isHidden(name) ? [404, { message: "404 Repository Not Found" }] : [403, forbidden]
  }
  if (project === "private" && caller === "Guest") return [403, forbidden]
  // Protections are settings, which an archived project keeps changeable.
  const isArchived = project === "archived" && least === Developer
  if (least !== undefined && (levelOf(caller) < least || isArchived)) return [403, refused]
  return passes
}

const outcome = ({ body, status }: Received, passes: ReadonlyArray<unknown>) => (passes.length === 1 ? [status] : [status, body])

const endpoints = [...branchRoutes, ...tagRoutes, ...commitRoutes, ...fileRoutes].map(({ endpoint }) => endpoint.name)

it("every endpoint is probed", () => {
  expect(Object.keys(probes).toSorted()).toEqual(endpoints.toSorted())
})

describe.each(projects)("%s project", (project) => {
  it.each(Object.entries(probes))("%s", async (name, probe) => {
    for (const caller of callers) {
      const sent = { ...probe.sent, token: tokens.get(caller) ?? null }
      const received = await service.request(probe.method, `/projects/${ids.get(project)}/repository/${probe.path}`, sent)
      const wanted = expected(name, probe, caller, project)
      expect([caller, ...outcome(received, wanted)]).toEqual([caller, ...wanted])
    }
  })

  it("access errors win over those of parameters", async () => {
    const token = tokens.get("external") ?? null
    const hidden = project === "private" || project === "internal"
    if (!hidden) return
    for (const [method, path] of [
      ["POST", "branches"],
      ["POST", "commits"],
      ["GET", "files/a"],
      ["POST", "files/a"]
    ] as const) {
      const received = await service.request(method, `/projects/${ids.get(project)}/repository/${path}`, { token })
      expect([received.status, received.body]).toEqual([404, { message: "404 Project Not Found" }])
    }
  })
})
