import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { anyBranchOnDisk, tipOnDisk } from "#src/git/refs/tipOnDisk.ts"
import { useEmptyRepository, useStandardRepository } from "../useRepository.ts"

const standard = useStandardRepository()
const tipOf = (ref: string) => Effect.runPromise(tipOnDisk(standard().repository, ref))

it("tells what branches name as git does, before and after their refs are packed", async () => {
  const { git, ids } = standard()
  git(["update-ref", "refs/heads/folded/er/one", ids.third])
  const names = git(["for-each-ref", "--format=%(refname)", "refs/heads/"]).split("\n")
  const expected = names.map((name) => git(["rev-parse", name]))
  expect(names.length).toBeGreaterThan(3)
  expect(await Promise.all(names.map(tipOf))).toEqual(expected)
  git(["pack-refs", "--all"])
  expect(await Promise.all(names.map(tipOf))).toEqual(expected)
  // One that moved since is a file again.
  git(["update-ref", "refs/heads/folded/er/one", ids.first])
  expect(await tipOf("refs/heads/folded/er/one")).toBe(ids.first)
})

it("leaves to git what only git can tell", async () => {
  const { git, ids, repository } = standard()
  git(["symbolic-ref", "refs/heads/alias", "refs/heads/main"])
  git(["update-ref", "refs/heads/er/one", ids.second])
  const others = ["alias", "missing", "one", "../../HEAD", "../tags/v1.0.0", "folded", "a\nb"].map((name) => `refs/heads/${name}`)
  for (const ref of [...others, "refs/tags/v1.0.0", "main", "HEAD"]) expect([ref, await tipOf(ref)]).toEqual([ref, undefined])
  git(["pack-refs", "--all"])
  appendFileSync(join(repository.path, "packed-refs"), "#".repeat(1024 * 1024))
  expect(await tipOf("refs/heads/er/one")).toBe(undefined)
})

describe("whether there is a branch", () => {
  const empty = useEmptyRepository()
  const hasBranch = () => Effect.runPromise(anyBranchOnDisk(empty().repository))
  const inHeads = (name: string) => join(empty().repository.path, "refs/heads", name)

  it("is told of one in a file or in the list, not of tags, locks and empty folders", async () => {
    const { git } = empty()
    expect(await hasBranch()).toBe(false)
    const commit = git(["commit-tree", "-m", "first", git(["mktree"], "")])
    git(["update-ref", "refs/tags/heads/one", commit])
    mkdirSync(inHeads("folded/er"), { recursive: true })
    writeFileSync(inHeads("folded/main.lock"), "")
    expect(await hasBranch()).toBe(false)
    git(["pack-refs", "--all"])
    expect(await hasBranch()).toBe(false)
    git(["update-ref", "refs/heads/folded/er/one", commit])
    expect(await hasBranch()).toBe(true)
    git(["pack-refs", "--all"])
    expect(await hasBranch()).toBe(true)
    git(["update-ref", "-d", "refs/heads/folded/er/one"])
    expect(await hasBranch()).toBe(false)
  })

  it("is left to git where only git can tell", async () => {
    writeFileSync(inHeads("alias"), "ref: refs/heads/main\n")
    expect(await hasBranch()).toBe(undefined)
    rmSync(inHeads("alias"))
    expect(await hasBranch()).toBe(false)
    appendFileSync(join(empty().repository.path, "packed-refs"), "#".repeat(1024 * 1024))
    expect(await hasBranch()).toBe(undefined)
    rmSync(join(empty().repository.path, "refs"), { recursive: true })
    expect(await hasBranch()).toBe(undefined)
  })
})
