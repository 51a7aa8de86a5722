import { readdirSync } from "node:fs"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { maxRebasedCommits, rebase } from "#src/git/merge/rebase.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import { randomHistory } from "#test/support/git/gitRandom.ts"
import { gitWork } from "#test/support/git/gitWork.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { useMerges } from "./useMerges.ts"

const folder = temporaryFolder()
const runMerges = useMerges()
const committer = { name: "Mira Holt", email: "mira@example.com", seconds: 1_700_009_000, offset: "+0000" }

let fixture: GitFixture
let ids: Record<string, string> = {}
beforeAll(() => {
  fixture = emptyRepository(`${folder()}/rebase.git`)
  ids = fixture.commits([
    { mark: "base", files: { a: "a\n", b: "b\n" } },
    { mark: "main", files: { a: "main\n" } },
    { mark: "one", ref: "refs/heads/change", parents: ["base"], files: { b: "one\n" }, message: "One\n\nwith a body\n\n" },
    { mark: "same", ref: "refs/heads/change", files: { a: "main\n" } },
    { mark: "empty", ref: "refs/heads/change", files: {} },
    { mark: "merging", ref: "refs/heads/change", parents: ["empty", "main"], files: {} },
    { mark: "two", ref: "refs/heads/change", files: { c: "two\n" } },
    { mark: "later", files: { d: "later\n" } },
    { mark: "clash", ref: "refs/heads/clash", parents: ["base"], files: { c: "c\n" } },
    { mark: "clash2", ref: "refs/heads/clash", files: { a: "clash\n" } },
    { mark: "alone", ref: "refs/heads/alone", parents: [], files: { z: "z\n" } }
  ])
})

const id = (mark: string): string => ids[mark] ?? mark
const order = (target: string, source: string) => ({ target: id(target), source: id(source), committer })
const rebased = (target: string, source: string) => runMerges(rebase(fixture.repository, order(target, source)))
const refused = (target: string, source: string) => runMerges(Effect.flip(rebase(fixture.repository, order(target, source))))
const objects = () => readdirSync(`${fixture.repository.path}/objects`, { recursive: true }).map(String).sort()
/** Trees, authors and messages of what a head has that a target has not. */
const line = ({ git }: GitFixture, target: string, head: string) =>
  git(["log", "--reverse", "--topo-order", "--format=%T|%an <%ae> %at|%B%x00", `${target}..${head}`])

describe("a rebase", () => {
  it("replays commits with their authors, without merges and what the target has, and moves nothing", async () => {
    const refs = fixture.git(["show-ref"])
    const head = await rebased("later", "two")
    expect(line(fixture, id("later"), head)).toBe(
      line(fixture, id("later"), gitWork(fixture, id("base")).rebase(id("later"), id("two")) ?? "")
    )
    expect(fixture.git(["log", "--reverse", "--format=%s by %an, %cn %ct", `${id("later")}..${head}`]).split("\n")).toEqual([
      "One by Ann Author, Mira Holt 1700009000",
      "empty by Ann Author, Mira Holt 1700009000",
      "two by Ann Author, Mira Holt 1700009000"
    ])
    expect(await rebased("later", "two")).toBe(head)
    expect(fixture.git(["show-ref"])).toBe(refs)
    fixture.git(["fsck", "--strict"])
  })

  it("leaves a head that has all of the target, and one that the target has", async () => {
    expect(await rebased("main", "two")).toBe(id("two"))
    expect(await rebased("main", "main")).toBe(id("main"))
    expect(await rebased("later", "base")).toBe(id("later"))
  })

  it("tells the commit that does not fit, and leaves nothing behind", async () => {
    const before = objects()
    expect(await refused("main", "clash2")).toMatchObject({ _tag: "RebaseConflicts", commit: id("clash2"), files: ["a"] })
    expect(objects()).toEqual(before)
    expect(await refused("main", "alone")).toMatchObject({ _tag: "NothingInCommon" })
  })

  it("of too many commits is refused before the first", async () => {
    const many = Array.from({ length: maxRebasedCommits + 1 }, (_, index) => ({
      mark: `n${index}`,
      ref: "refs/heads/many",
      ...(index === 0 ? { parents: [id("base")] } : {}),
      files: { n: `${index}\n` }
    }))
    const made = fixture.commits(many)
    expect(await refused("main", made[`n${maxRebasedCommits}`] ?? "")).toMatchObject({ _tag: "TooManyCommits" })
  })
})

describe("rebases of random histories", () => {
  it.each([7, 8, 10])("are those of git (%i)", async (seed) => {
    const random = emptyRepository(`${folder()}/random-${seed}.git`)
    const commits = Object.values(random.commits(randomHistory(60, seed)))
    const work = gitWork(random, "refs/heads/b0")
    const verdicts = new Map<string, number>()
    for (let index = 0; index < 40; index++) {
      const [target = "", source = ""] = [commits[(index * 7) % 60], commits[(index * 11 + seed) % 60]]
      const found = await runMerges(Effect.result(rebase(random.repository, { target, source, committer })))
      const verdict = found._tag === "Failure" ? found.failure._tag : found.success === source ? "source" : "made"
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1)
      // Git also makes a line of a head that has all of the target, and rebases what has nothing in common.
      if (verdict === "source" || verdict === "NothingInCommon") continue
      const byGit = work.rebase(target, source)
      if (found._tag === "Failure") expect(byGit).toBe(undefined)
      else expect(line(random, target, found.success)).toBe(line(random, target, byGit ?? ""))
    }
    expect([...verdicts.keys()]).toEqual(expect.arrayContaining(["made", "RebaseConflicts"]))
  })
})
