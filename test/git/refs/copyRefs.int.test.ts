import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { copyRefs } from "#src/git/refs/copyRefs.ts"
import { emptyRepository } from "#test/support/git/gitFixtures.ts"
import { useStandardRepository } from "../useRepository.ts"

const source = useStandardRepository()
let folder = ""
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chronoforge-copy-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let copies = 0
const copied = async (ref: string | undefined, from = source().repository) => {
  const target = emptyRepository(join(folder, `${++copies}.git`))
  await Effect.runPromise(copyRefs(target.repository, from, ref))
  expect(target.git(["fsck", "--strict", "--no-dangling"])).toBe("")
  return target
}

const objects = (git: (args: ReadonlyArray<string>) => string, ...which: ReadonlyArray<string>) =>
  git(["rev-list", "--objects", "--no-object-names", ...which])
    .split("\n")
    .toSorted()

describe("a copy", () => {
  it("has all branches and tags, and nothing else", async () => {
    const { git } = await copied(undefined)
    const shown = ["show-ref", "--dereference"]
    const expected = source().git([...shown, "--heads", "--tags"])
    expect(expected).toMatch(/refs\/tags\/nested\^\{\}/)
    expect(git(shown)).toBe(expected)
    expect(objects(git, "--all")).toEqual(objects(source().git, "--branches", "--tags"))
    // Git reads from it what tags lead to: it is as git would have written it.
    git(["update-ref", "refs/heads/one-more", "main"])
    git(["pack-refs", "--all"])
    expect(git(shown).replace(/^.*one-more\n/m, "")).toBe(expected)
  })

  it("of one branch has only what that needs", async () => {
    const { git } = await copied("refs/heads/orphan")
    const tip = source().git(["rev-parse", "orphan"])
    expect(git(["show-ref"])).toBe(`${tip} refs/heads/orphan`)
    const all = git(["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"]).split("\n").toSorted()
    expect(all).toEqual(objects(source().git, "orphan"))
  })

  it("of an empty repository is empty", async () => {
    const empty = emptyRepository(join(folder, "empty.git"))
    const { git } = await copied(undefined, empty.repository)
    expect(git(["count-objects"])).toBe("0 objects, 0 kilobytes")
  })
})
