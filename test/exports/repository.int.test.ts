import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { field } from "#test/support/exactly.ts"
import { gitClient } from "#test/support/git/gitClient.ts"
import { gitFixture } from "#test/support/git/gitFixtures.ts"
import { unpack } from "#test/support/git/unpack.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { rootToken } from "#test/support/service.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { useExports } from "./useExports.ts"

const { commit, exported, newProject, open, order, perform, service, unpacked } = useExports()
const { request, run } = service
const folder = temporaryFolder()

/** Runs git below the folder of the test, and expects that it succeeds. */
const git = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { status, stderr, stdout } = await gitClient(folder(), args)
  expect([args, status, status === 0 ? "" : stderr]).toEqual([args, 0, ""])
  return stdout.trimEnd()
}
/** Writes the bundle of a project to a file: its name. */
const bundleOf = async (id: number): Promise<string> => {
  const { comment, entries } = await unpack("tar", await unpacked(id, { relation: "repository" }))
  const content = entries[0]?.content ?? ""
  expect([comment, entries]).toEqual(["", [{ path: "repository.bundle", mode: "100644", time: 0, content }]])
  const name = `${id}.bundle`
  await writeFile(join(folder(), name), content, "latin1")
  return name
}
const tipOf = async (id: number, branch: string) =>
  String(field((await request("GET", `/projects/${id}/repository/commits/${branch}`)).body, "id"))

describe("the repository of a project", () => {
  it("is a bundle with all branches, tags and heads of merge requests", async () => {
    const id = await newProject("bundled")
    const tags = `/projects/${id}/repository/tags`
    await request("POST", tags, { json: { tag_name: "light", ref: "topic" } })
    const annotated = await request("POST", tags, { json: { tag_name: "v1.0", ref: "main", message: "The first" } })
    await open(id)
    await request("DELETE", `/projects/${id}/repository/branches/topic`)
    const kept = await commit(id, "feature/a", { "a.txt": "a\n" })
    await run(settled)
    const [main, topic] = [await tipOf(id, "main"), await tipOf(id, "light")]
    await exported(id)
    const bundle = await bundleOf(id)
    const listed = await git("bundle", "list-heads", bundle)
    expect(listed.split("\n")).toEqual([
      `${kept} refs/heads/feature/a`,
      `${topic} refs/merge-requests/1/head`,
      `${topic} refs/tags/light`,
      `${field(annotated.body, "target")} refs/tags/v1.0`,
      `${main} HEAD`,
      `${main} refs/heads/main`
    ])
    await git("clone", "--quiet", "--mirror", bundle, "bundled.git")
    const refs = await git("-C", "bundled.git", "for-each-ref", "--format=%(objectname) %(refname)")
    expect([...refs.split("\n"), `${main} HEAD`].toSorted()).toEqual(listed.split("\n").toSorted())
    expect(await git("-C", "bundled.git", "cat-file", "-t", "v1.0")).toBe("tag")
  })

  it("is cloned from the bundle as from the service", async () => {
    const id = await newProject("cloned", { default_branch: "base" })
    await request("POST", `/projects/${id}/repository/branches`, { query: { branch: "base", ref: "topic" } })
    await request("PUT", `/projects/${id}`, { json: { default_branch: "base" } })
    await open(id, { source_branch: "topic", target_branch: "main" })
    await run(settled)
    await exported(id)
    const url = `http://somebody:${rootToken}@${new URL(service.url).host}/root/cloned.git`
    await git("clone", "--quiet", await bundleOf(id), "from-bundle")
    await git("clone", "--quiet", url, "from-service")
    const states = ["from-bundle", "from-service"].map(async (name) => [
      await git("-C", name, "for-each-ref", "--format=%(refname) %(objectname) %(symref)"),
      await git("-C", name, "log", "--format=fuller", "--all", "-p"),
      await git("-C", name, "fsck", "--strict", "--no-dangling")
    ])
    const [bundled, served] = await Promise.all(states)
    expect(bundled).toEqual(served)
    expect(bundled?.[0]?.split("\n").map((line) => line.split(" ")[0])).toEqual([
      "refs/heads/base",
      "refs/remotes/origin/HEAD",
      "refs/remotes/origin/base",
      "refs/remotes/origin/main",
      "refs/remotes/origin/topic"
    ])
  })

  it("brings no objects but those to which its refs lead", async () => {
    const id = await newProject("narrow")
    const repository = await run(Repositories.use(({ of }) => Effect.succeed(of(id))))
    const stray = gitFixture(repository).object("blob", "nobody sees this")
    await exported(id)
    await git("clone", "--quiet", "--mirror", await bundleOf(id), "narrow.git")
    expect((await gitClient(folder(), ["-C", "narrow.git", "cat-file", "-e", stray])).status).not.toBe(0)
  })

  it("has nothing where nothing was pushed", async () => {
    const { body } = await request("POST", "/projects", { json: { name: "never-pushed" } })
    const id = Number(field(body, "id"))
    await exported(id)
    expect(await unpacked(id, { relation: "repository" })).toEqual(Buffer.alloc(1024))
  })

  it("is the same file each time as long as it does not change", async () => {
    const id = await newProject("unchanged")
    await exported(id)
    const first = await unpacked(id, { relation: "repository" })
    expect(await order(id, { json: { batched: true } })).toEqual([202, { message: "202 Accepted" }])
    await perform(id)
    expect(await unpacked(id, { relation: "repository" })).toEqual(first)
  })
})
