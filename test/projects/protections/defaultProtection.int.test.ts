import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { gitClient } from "#test/support/git/gitClient.ts"
import { rootToken } from "#test/support/service.ts"
import { useProjects } from "../useProjects.ts"

const { addMember, newGroup, newProject, newUser, service } = useProjects({ DEFAULT_BRANCH_PROTECTION: "1" })

let folder = ""
let developer = { id: 0, token: "" }
const work = (...args: ReadonlyArray<string>) => gitClient(folder, args)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chronoforge-protection-"))
  developer = await newUser("developer")
  await work("init", "-q", "-b", "main")
  for (const message of ["One", "Two", "Three"]) await work("commit", "-q", "--allow-empty", "-m", message)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const urlFor = (token: string, path: string) => `http://any:${token}@${new URL(service.url).host}/${path}.git`
/** What became of each ref, without the ids. */
const push = async (token: string, path: string, ...refs: ReadonlyArray<string>) => {
  const { stderr } = await work("push", urlFor(token, path), ...refs)
  const lines = stderr.split("\n").filter((line) => line.includes(" -> "))
  return lines.map((line) =>
    line
      .trim()
      .replace(/\s+/g, " ")
      .replace(/^\+? ?[0-9a-f]+\.+[0-9a-f]+ /, "")
  )
}

const levels = (rows: unknown): ReadonlyArray<unknown> =>
  Array.isArray(rows) ? rows.map((row: unknown) => field(row, "access_level")) : []
/** The protected branches of a project: name, who may push, who may merge, whether by force. */
const protections = async (id: number) => {
  const { body } = await service.request("GET", `/projects/${id}/protected_branches`)
  const rows = Array.isArray(body) ? body : []
  return rows.map((row: unknown) => [
    field(row, "name"),
    levels(field(row, "push_access_levels")),
    levels(field(row, "merge_access_levels")),
    field(row, "allow_force_push")
  ])
}

const rejected = (text: string) => `! [remote rejected] main~1 -> main (${text})`
const notYet = (path: string) =>
  rejected(
    `A default branch (e.g. main) does not yet exist for ${path}. Ask a project Owner or Maintainer to create a default branch.`
  )
const noPush = "! [remote rejected] main -> main (You are not allowed to push code to protected branches on this project.)"
const noForce =
  "! [remote rejected] main~2 -> main (You are not allowed to force push code to a protected branch on this project.)"
const first = "* [new branch] main~1 -> main"

/** What a group says, the protection that follows, and what a Developer hears of the first push, the next one and a forced one. */
const rows: ReadonlyArray<readonly [level: number, protection: ReadonlyArray<unknown>, heard: ReadonlyArray<string>]> = [
  [0, [], [first, "main -> main", "main~2 -> main (forced update)"]],
  [1, [["main", [30], [40], false]], [first, "main -> main", noForce]],
  [2, [["main", [40], [40], false]], ["not yet", noPush, noForce]],
  [3, [["main", [40], [30], false]], ["not yet", noPush, noForce]],
  [4, [["main", [40], [40], false]], [first, noPush, noForce]]
]

describe("the default branch of a project in a group", () => {
  it.each(rows)("with the protection %s", async (level, protection, heard) => {
    const group = await newGroup(`level-${level}`, { default_branch_protection: level })
    await addMember(`/groups/${group}`, developer.id, 30)
    const id = await newProject("made", { namespace_id: group })
    const path = `level-${level}/made`
    const begun = await push(developer.token, path, "main~1:refs/heads/main")
    expect(begun).toEqual([heard[0] === "not yet" ? notYet(path) : heard[0]])
    if (heard[0] === "not yet") expect(await push(rootToken, path, "main~1:refs/heads/main")).toEqual([first])
    expect(await protections(id)).toEqual(protection)
    const next = await push(developer.token, path, "main:main")
    const forced = await push(developer.token, path, "+main~2:refs/heads/main")
    expect([...next, ...forced]).toEqual(heard.slice(1))
  })

  it("with details of its own", async () => {
    const defaults = { allowed_to_push: [{ access_level: 0 }], allowed_to_merge: [{ access_level: 30 }], allow_force_push: true }
    const group = await newGroup("details", { default_branch_protection_defaults: defaults })
    const id = await newProject("made", { namespace_id: group })
    expect(await push(rootToken, "details/made", "main~1:refs/heads/main")).toEqual([first])
    expect(await protections(id)).toEqual([["main", [0], [30], true]])
  })
})

describe("the setting of the instance", () => {
  it("holds in personal namespaces", async () => {
    const id = await newProject("personal")
    expect(await push(rootToken, "root/personal", "main~1:refs/heads/main")).toEqual([first])
    expect(await protections(id)).toEqual([["main", [30], [40], false]])
  })

  it("is that of new groups, which may change it", async () => {
    const group = await newGroup("plain")
    const shown = async () => field((await service.request("GET", `/groups/${group}`)).body, "default_branch_protection")
    expect(await shown()).toBe(1)
    await service.request("PUT", `/groups/${group}`, { json: { default_branch_protection: 3 } })
    expect(await shown()).toBe(3)
    const id = await newProject("changed", { namespace_id: group })
    expect(await push(rootToken, "plain/changed", "main~1:refs/heads/main")).toEqual([first])
    expect(await protections(id)).toEqual([["main", [40], [30], false]])
  })
})

it("the default branch is protected beside no pattern that protects it already", async () => {
  const id = await newProject("patterned")
  await service.request("POST", `/projects/${id}/protected_branches`, { json: { name: "m*" } })
  expect(await push(rootToken, "root/patterned", "main~1:refs/heads/main")).toEqual([first])
  expect(await protections(id)).toEqual([["m*", [40], [40], false]])
})

it("a fork is protected as its own namespace says", async () => {
  const source = await newProject("origin", { namespace_id: await newGroup("source", { default_branch_protection: 2 }) })
  expect(await push(rootToken, "source/origin", "main~1:refs/heads/main")).toEqual([first])
  const { body } = await service.request("POST", `/projects/${source}/fork`)
  expect(await protections(Number(field(body, "id")))).toEqual([["main", [30], [40], false]])
})
