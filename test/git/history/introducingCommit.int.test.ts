import { beforeAll, describe, expect, it } from "vitest"
import { introducingCommit } from "#src/git/history/introducingCommit.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import type { CommitStep } from "#test/support/git/gitImport.ts"
import { randomHistory } from "#test/support/git/gitRandom.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { useMerges } from "../merge/useMerges.ts"

const folder = temporaryFolder()
const runMerges = useMerges()
const ask = ({ repository }: GitFixture, commit: string, tip: string) => runMerges(introducingCommit(repository, { commit, tip }))

/** A branch of 100 commits, into which others were merged at its tenth and ninetieth. */
const steps = (): ReadonlyArray<CommitStep> =>
  Array.from({ length: 100 }, (_, index) => {
    const before = `m${index - 1}`
    const side = { mark: `s${index}`, ref: `refs/heads/s${index}`, parents: [before], files: { side: `${index}\n` } }
    const isMerge = index === 10 || index === 90
    const parents = index === 0 ? [] : isMerge ? [before, side.mark] : [before]
    return [...(isMerge ? [side] : []), { mark: `m${index}`, parents, files: { main: `${index}\n` } }]
  }).flat()

let fixture: GitFixture
let ids: Record<string, string> = {}
beforeAll(() => {
  fixture = emptyRepository(`${folder()}/line.git`)
  ids = fixture.commits(steps())
})

const id = (mark: string): string => ids[mark] ?? mark

describe.each([false, true])("what brought a commit in (with a commit-graph: %j)", (hasGraph) => {
  beforeAll(() => {
    if (hasGraph) fixture.git(["commit-graph", "write", "--split", "--reachable"])
  })

  const rows: ReadonlyArray<readonly [commit: string, tip: string, expected: string | undefined]> = [
    ["s90", "m90", "m90"],
    ["s90", "m99", "m90"],
    ["s10", "m99", "m10"],
    ["s10", "m10", "m10"],
    ["m99", "m99", "m99"],
    ["m95", "m99", "m95"],
    ["m3", "m99", "m3"],
    ["m0", "m99", "m0"],
    ["s90", "m89", undefined],
    ["m50", "s10", undefined]
  ]
  it.each(rows)("%s in %s: %s", async (commit, tip, expected) => {
    expect(await ask(fixture, id(commit), id(tip))).toBe(expected === undefined ? undefined : id(expected))
  })
})

describe("in random histories", () => {
  it("it is the oldest first parent that reaches the commit", async () => {
    const random = emptyRepository(`${folder()}/random.git`)
    const commits = Object.values(random.commits(randomHistory(80, 9)))
    const reached = (tip: string) => random.git(["rev-list", tip]).split("\n")
    for (let index = 0; index < 40; index++) {
      const [commit = "", tip = ""] = [commits[(index * 7) % 80], commits[(index * 11 + 40) % 80]]
      const line = random.git(["rev-list", "--first-parent", tip]).split("\n")
      expect(await ask(random, commit, tip)).toBe(line.findLast((each) => reached(each).includes(commit)))
    }
  })
})
