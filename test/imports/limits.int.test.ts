import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { treeBomb } from "#test/support/git/treeBomb.ts"
import { useImports } from "./useImports.ts"
import { useRemote } from "./useRemote.ts"

const remote = useRemote()

describe("a repository from which nothing may come", () => {
  const { importing, newProject, probe, schedule } = useImports({ IMPORT_ALLOW_PRIVATE: "false" })
  const refused = "The import URL leads to an address that is not public, which is not allowed"

  it("lies on an address that is not public", async () => {
    remote.create("here").commits([{ mark: "one" }])
    const { port } = new URL(remote.url)
    const asked = remote.requests.length
    for (const host of ["127.0.0.1", "localhost", "LOCALHOST.", "0x7f000001", "[::ffff:127.0.0.1]", "2130706433", "[::1]"]) {
      expect([host, await probe(`http://${host}:${port}/here.git`)]).toEqual([host, refused])
    }
    const id = await newProject("refused")
    await schedule(id, `${remote.url}/here.git`)
    expect(await importing(id)).toMatchObject({ status: "failed", error: refused })
    expect(remote.requests.length).toBe(asked)
  })
})

describe("an import that takes too much space", () => {
  const { importing, newProject, schedule } = useImports({ IMPORT_SIZE_LIMIT: "1" })

  it("is ended", async () => {
    remote.create("large").commits([{ mark: "one", files: { "noise.bin": randomBytes(2 * 1024 * 1024) } }])
    const id = await newProject("large")
    await schedule(id, `${remote.url}/large.git`)
    expect(await importing(id)).toMatchObject({
      status: "failed",
      error: "The repository is larger than the 1 MiB that an import may take"
    })
  })
})

describe("an import of trees that expand too far", () => {
  const { importing, newProject, schedule } = useImports({ MAX_TREE_PATHS: "1000", MAX_TREE_DEPTH: "4" })

  it("fails and names the limit", async () => {
    const wide = remote.create("wide")
    const [, , third = "", root = ""] = treeBomb(wide, 10, 4)
    wide.git(["update-ref", "refs/heads/main", wide.git(["commit-tree", "-m", "wide", root])])
    const deep = remote.create("deep")
    const fifth = treeBomb(deep, 1, 5).at(-1) ?? ""
    deep.git(["update-ref", "refs/heads/main", deep.git(["commit-tree", "-m", "deep", fifth])])
    const [first, second] = [await newProject("wide"), await newProject("deep")]
    await schedule(first, `${remote.url}/wide.git`)
    await schedule(second, `${remote.url}/deep.git`)
    expect(await importing(first)).toMatchObject({
      status: "failed",
      error: `directory e000000 (tree ${third}) expands to more than 1000 paths (limit MAX_TREE_PATHS)`
    })
    expect(await importing(second)).toMatchObject({
      status: "failed",
      error: `the root directory (tree ${fifth}) is nested deeper than 4 directories (limit MAX_TREE_DEPTH)`
    })
  })
})

describe("an import of objects that are too large together", () => {
  const { importing, newProject, schedule } = useImports({ MAX_INFLATED_SIZE: "1" })

  it("fails and names the limit", async () => {
    const zeros = Object.fromEntries(["a", "b", "c"].map((name) => [name, Buffer.alloc(512 * 1024, name)]))
    remote.create("zeros").commits([{ mark: "one", files: zeros }])
    const id = await newProject("zeros")
    await schedule(id, `${remote.url}/zeros.git`)
    expect(await importing(id)).toMatchObject({
      status: "failed",
      error: "all objects together have more than 1 MiB when they are worked out (limit MAX_INFLATED_SIZE)"
    })
  })
})

describe("an import that takes too much time", () => {
  const { importing, newProject, schedule } = useImports({ IMPORT_TIME_LIMIT: "3" })

  it("is ended", async () => {
    remote.create("late").commits([{ mark: "one" }])
    const id = await newProject("late")
    await schedule(id, `${remote.url}/late.git`)
    const release = remote.hold()
    expect(await importing(id)).toMatchObject({ status: "failed", error: "The import took longer than 3 seconds" })
    release()
  })
})

describe("where imports are switched off", () => {
  const { create, importing, newGroup, newProject, newUser, schedule, service } = useImports({ IMPORT_ENABLED: "false" })
  const forbidden = [403, { message: "403 Forbidden" }]

  it("no request lets anything be imported", async () => {
    const asked = remote.requests.length
    const [ada, group] = [await newUser("ada"), await newGroup("closed", { visibility: "private" })]
    for (const import_url of [`${remote.url}/here.git`, "https://example.com/a.git", "no address"]) {
      const { body, status } = await create({ json: { name: "off", import_url } })
      expect([status, body]).toEqual(forbidden)
    }
    const elsewhere = { json: { name: "off", namespace_id: group, import_url: "https://example.com/a.git" }, token: ada.token }
    const given = { json: { name: "off", import_url: "https://example.com/a.git" } }
    for (const { body, status } of [await create(elsewhere), await service.request("POST", `/projects/user/${ada.id}`, given)]) {
      expect([status, body]).toEqual(forbidden)
    }
    expect((await service.request("GET", "/projects", { query: { search: "off" } })).body).toEqual([])
    expect((await create({ json: { name: "plain", import_url: "" } })).status).toBe(201)
    expect(remote.requests.length).toBe(asked)
  })

  it("what was scheduled before fails", async () => {
    remote.create("late-off").commits([{ mark: "one" }])
    const id = await newProject("late")
    await schedule(id, `${remote.url}/late-off.git`)
    expect(await importing(id)).toMatchObject({ status: "failed", error: "Imports are switched off" })
  })
})
