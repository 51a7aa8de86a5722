import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { gitClient } from "#test/support/git/gitClient.ts"
import { rootToken } from "#test/support/service.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { iidOf, type Person, useMergeRequests } from "../useMergeRequests.ts"

const { commit, fork, member, newProject, open, put, service } = useMergeRequests()
const { request } = service
const folder = temporaryFolder()

let upstream = 0
let forked = 0
let iid = 0
const people: Record<"developer" | "reporter", Person> = { developer: { id: 0, token: "" }, reporter: { id: 0, token: "" } }

beforeAll(async () => {
  upstream = await newProject("upstream", { visibility: "public" })
  forked = await fork(upstream, "fork")
  for (const branch of ["fix", "other", "kept"]) await commit(forked, branch, { [`${branch}.txt`]: `${branch}\n` })
  for (const role of ["developer", "reporter"] as const) people[role] = await member(upstream, role, `upstream-${role}`)
  await request("POST", `/projects/${upstream}/repository/branches`, { json: { branch: "stable", ref: "main" } })
  const asked = { source_branch: "fix", target_project_id: upstream, target_branch: "stable", allow_collaboration: true }
  iid = iidOf(await open(forked, asked))
  await gitClient(folder(), ["clone", "-q", urlFor(rootToken), "work"])
  for (const branch of ["fix", "other", "kept"]) await work("branch", "-q", branch, `origin/${branch}`)
})

const urlFor = (token: string) => `http://somebody:${token}@${new URL(service.url).host}/root/fork.git`
const work = (...args: ReadonlyArray<string>) =>
  gitClient(join(folder(), "work"), ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args])
const tip = async (branch: string) =>
  field(field((await request("GET", `/projects/${forked}/repository/branches/${branch}`)).body, "commit"), "id")

/** Commits on a branch, and pushes as somebody: what git ended with, and what the service said. */
const push = async ({ token }: Person, branch: string, ...refs: ReadonlyArray<string>) => {
  await work("switch", "-q", branch)
  await work("commit", "-q", "--allow-empty", "-m", `Go on with ${branch}`)
  const { status, stderr } = await work("push", urlFor(token), ...(refs.length === 0 ? [branch] : refs))
  return [status, /(?:remote: |rejected\] .*\()(.+?)\)?\s*$/m.exec(stderr)?.[1]]
}
const commitTo = async ({ token }: Person, branch: string) => {
  const actions = [{ action: "create", file_path: `${Math.random()}.txt`, content: "" }]
  const json = { branch, commit_message: "Help", actions }
  const { body, status } = await request("POST", `/projects/${forked}/repository/commits`, { json, token })
  return [status, field(body, "message")]
}

const noPush = "You are not allowed to push code to this project."
const noCommit = [403, "403 Forbidden - You are not allowed to push into this branch"]

describe("who may merge what a fork lets others work on", () => {
  it("moves its source branch, by git and with commits", async () => {
    expect(await push(people.developer, "fix")).toEqual([0, undefined])
    expect(await tip("fix")).toBe((await work("rev-parse", "fix")).stdout.trim())
    expect(await commitTo(people.developer, "fix")).toEqual([201, "Help"])
  })

  it("moves no other branch, and makes or deletes none", async () => {
    const before = [await tip("fix"), await tip("other")]
    expect(await push(people.developer, "other")).toEqual([1, noPush])
    expect(await push(people.developer, "other", "other:refs/heads/new")).toEqual([1, noPush])
    expect(await push(people.developer, "other", ":refs/heads/fix")).toEqual([1, noPush])
    expect(await push(people.developer, "other", "other:refs/tags/v1")).toEqual([1, noPush])
    expect(await commitTo(people.developer, "other")).toEqual(noCommit)
    expect([await tip("fix"), await tip("other")]).toEqual(before)
  })

  it("is nobody who may not merge it", async () => {
    expect(await push(people.reporter, "fix")).toEqual([128, noPush])
    expect(await commitTo(people.reporter, "fix")).toEqual(noCommit)
  })

  it("does not move it while it is protected, or the merge request takes that back or is closed", async () => {
    const branches = `/projects/${forked}/protected_branches`
    await request("POST", branches, { json: { name: "fix" } })
    const atProtected = await commitTo(people.developer, "fix")
    await request("DELETE", `${branches}/fix`)
    expect([atProtected, await commitTo(people.developer, "fix")]).toEqual([noCommit, [201, "Help"]])

    await put(upstream, iid, { allow_collaboration: false })
    expect(await commitTo(people.developer, "fix")).toEqual(noCommit)
    expect(await push(people.developer, "fix")).toEqual([128, noPush])
    await put(upstream, iid, { allow_collaboration: true })
    expect(await commitTo(people.developer, "fix")).toEqual([201, "Help"])
    await put(upstream, iid, { state_event: "close" })
    expect(await commitTo(people.developer, "fix")).toEqual(noCommit)
    await put(upstream, iid, { state_event: "reopen" })
  })

  it("does not move it once the fork is private", async () => {
    await request("PUT", `/projects/${forked}`, { json: { visibility: "private" } })
    expect((await commitTo(people.developer, "fix"))[0]).toBe(404)
    await request("POST", `/projects/${forked}/members`, { json: { user_id: people.developer.id, access_level: 20 } })
    expect(await commitTo(people.developer, "fix")).toEqual(noCommit)
  })
})
