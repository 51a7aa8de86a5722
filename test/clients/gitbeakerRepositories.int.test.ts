import { Gitlab } from "@gitbeaker/rest"
import { beforeAll, describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { rootToken, useService } from "#test/support/service.ts"

const service = useService()
const client = () => new Gitlab({ host: service.url, token: rootToken })
let project = 0

beforeAll(async () => {
  const { body } = await service.request("POST", "/projects", { json: { name: "client" } })
  project = Number(field(body, "id"))
  await client().Commits.create(project, "main", "First", [
    { action: "create", filePath: "README.md", content: "# Hi\n" },
    { action: "create", filePath: "src/a.ts", content: "a\n" }
  ])
})

describe("Branches", () => {
  it("creates, lists, shows and removes", async () => {
    const { Branches } = client()
    const created = await Branches.create(project, "feature/one", "main")
    expect(created).toMatchObject({ name: "feature/one", merged: false, protected: false, default: false, can_push: true })
    expect(await Branches.show(project, "feature/one")).toEqual(created)
    expect((await Branches.all(project)).map(({ name }) => name)).toEqual(["feature/one", "main"])
    expect((await Branches.all(project, { search: "^feat" })).map(({ name }) => name)).toEqual(["feature/one"])
    await Branches.remove(project, "feature/one")
    await expect(Branches.show(project, "feature/one")).rejects.toThrow("404 Branch Not Found")
    await Branches.removeMerged(project)
  })
})

describe("Tags", () => {
  it("creates, lists, shows and removes", async () => {
    const { Tags } = client()
    const created = await Tags.create(project, "v1.0", "main", { message: "One" })
    expect(created).toMatchObject({ name: "v1.0", message: "One", release: null, protected: false })
    expect(await Tags.show(project, "v1.0")).toEqual(created)
    expect(await Tags.all(project, { orderBy: "name", sort: "asc" })).toEqual([created])
    await Tags.remove(project, "v1.0")
    expect(await Tags.all(project)).toEqual([])
  })
})

describe("Commits", () => {
  it("creates, lists, shows, picks and reverts", async () => {
    const { Branches, Commits } = client()
    await Branches.create(project, "topic", "main")
    const created = await Commits.create(
      project,
      "topic",
      "Second\n\nBody",
      [
        { action: "update", filePath: "src/a.ts", content: "b\n" },
        { action: "move", filePath: "docs/README.md", previousPath: "README.md" },
        { action: "chmod", filePath: "src/a.ts", execute_filemode: true }
      ],
      { authorName: "Ann", authorEmail: "ann@example.com" }
    )
    expect(created).toMatchObject({ title: "Second", author_name: "Ann", stats: { additions: 1, deletions: 1, total: 2 } })
    expect(await Commits.show(project, created.id)).toEqual(created)
    expect((await Commits.all(project, { refName: "topic" })).map(({ title }) => title)).toEqual(["Second", "First"])
    expect((await Commits.all(project, { refName: "topic", perPage: 1 })).map(({ title }) => title)).toEqual(["Second", "First"])
    expect(await Commits.all(project, { refName: "topic", withStats: true, path: "src" })).toMatchObject([
      { stats: { total: 2 } },
      { stats: { total: 2 } }
    ])
    expect((await Commits.showDiff(project, created.id)).map(({ new_path }) => new_path)).toEqual(["docs/README.md", "src/a.ts"])
    expect(await Commits.allReferences(project, created.id)).toEqual([{ type: "branch", name: "topic" }])
    expect(await Commits.showSequence(project, created.id)).toEqual({ count: 2 })
    expect(await Commits.allComments(project, created.id)).toEqual([])
    const picked = await Commits.cherryPick(project, created.id, "main")
    expect(picked).toMatchObject({ title: "Second", author_name: "Ann" })
    expect(await Commits.revert(project, String(field(picked, "id")), "main")).toMatchObject({ title: 'Revert "Second"' })
  })
})

describe("RepositoryFiles", () => {
  it("creates, shows, edits, blames and removes", async () => {
    const { RepositoryFiles } = client()
    const path = "docs/Ünï file.txt"
    expect(await RepositoryFiles.create(project, path, "main", "one\n", "Add it")).toEqual({ file_path: path, branch: "main" })
    expect(await RepositoryFiles.show(project, path, "main")).toMatchObject({
      file_name: "Ünï file.txt",
      file_path: path,
      size: 4,
      content: Buffer.from("one\n").toString("base64")
    })
    const content = Buffer.from("two\n").toString("base64")
    await RepositoryFiles.edit(project, path, "main", content, "Edit it", { encoding: "base64" })
    expect(await RepositoryFiles.allFileBlames(project, path, "main")).toMatchObject([
      { commit: { message: "Edit it" }, lines: ["two"] }
    ])
    const raw = await RepositoryFiles.showRaw(project, path, "main")
    expect(raw instanceof Blob ? await raw.text() : raw).toBe("two\n")
    await RepositoryFiles.remove(project, path, "main", "Remove it")
    await expect(RepositoryFiles.show(project, path, "main")).rejects.toThrow("404 File Not Found")
  })
})
