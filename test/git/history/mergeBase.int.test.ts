import { chmodSync, cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer, ManagedRuntime } from "effect"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { compare, divergence } from "#src/git/diff/compare.ts"
import { CommitGraphs } from "#src/git/history/CommitGraphs.ts"
import { knownHistory } from "#src/git/history/knownHistory.ts"
import { isAncestor, mergeBase, mergeBases } from "#src/git/history/mergeBase.ts"
import { Objects } from "#src/git/objects/Objects.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import { type CommitStep, firstCommitSeconds } from "#test/support/git/gitImport.ts"
import { runProgram } from "#test/support/processes/runProgram.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()
let fixture: GitFixture
let ids: ReadonlyArray<string>

/** 120 commits with two roots, chains, forks, merges of two to five, criss-cross merges, equal times and clocks that go wrong. */
const steps = (): ReadonlyArray<CommitStep> => {
  let state = 7
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % limit
  }
  return Array.from({ length: 120 }, (_, index) => {
    const recent = () => `c${Math.max(0, index - 1 - below(8))}`
    const parents =
      index === 0 || index === 60 ? [] : [...new Set(Array.from({ length: 1 + (below(3) === 0 ? 1 + below(4) : 0) }, recent))]
    const seconds = firstCommitSeconds + Math.floor(index / 3) * 60 - (below(10) === 0 ? 3_000 : 0)
    return {
      mark: `c${index}`,
      ref: `refs/heads/b${index}`,
      parents: index > 60 && index < 75 ? [`c${index - 1}`] : parents,
      files: {},
      committer: { name: "Carla", email: "carla@example.com", seconds, offset: "+0000" }
    }
  })
}

beforeAll(() => {
  fixture = emptyRepository(`${folder()}/bases.git`)
  ids = Object.values(fixture.commits(steps()))
})

const answers = new Map<string, ReadonlyArray<string>>()
const askGit = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  try {
    return runProgram("git", [`--git-dir=${fixture.repository.path}`, ...args])
      .toString()
      .split("\n")
      .filter(Boolean)
  } catch {
    return []
  }
}
/** What real git answers, with status 1 for "none"; the same pairs are asked for in every state. */
const git = (...args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = answers.get(args.join(" ")) ?? askGit(args)
  answers.set(args.join(" "), known)
  return known
}

const commit = fc.nat(119).map((index) => ids[index] ?? "")
const runtime = ManagedRuntime.make(Layer.merge(Objects.layer, CommitGraphs.layer))
const run = <A, E>(effect: Effect.Effect<A, E, CommitGraphs | Objects>) => runtime.runPromise(effect)
afterAll(() => runtime.dispose())

/** Writes a commit-graph of all that the first commits reach. */
const writeGraph = (repository: string, commits: number, ...settings: ReadonlyArray<string>) =>
  runProgram("git", [`--git-dir=${repository}`, ...settings, "commit-graph", "write", "--stdin-commits", "--split=no-merge"], {
    input: ids.slice(0, commits).join("\n")
  })

/** What `maintenance.ts` may have left behind. */
const states: ReadonlyArray<readonly [string, (repository: string) => void]> = [
  ["without a commit-graph", () => {}],
  ["with a commit-graph", (repository) => writeGraph(repository, 120)],
  [
    "with a commit-graph in layers, and newer commits",
    (repository) => {
      for (const commits of [40, 70, 100]) writeGraph(repository, commits)
    }
  ],
  [
    "with a commit-graph of the first version",
    (repository) => writeGraph(repository, 120, "-c", "commitGraph.generationVersion=1")
  ],
  [
    "with a commit-graph whose layers are of two versions",
    (repository) => {
      writeGraph(repository, 50, "-c", "commitGraph.generationVersion=1")
      writeGraph(repository, 110)
    }
  ]
]

describe.each(states)("merge base, %s", (name, prepare) => {
  const repository = () => ({ path: `${folder()}/${name}.git` })
  beforeAll(() => {
    cpSync(fixture.repository.path, repository().path, { recursive: true })
    prepare(repository().path)
  })

  it("is that of git for 200 random pairs", async () => {
    await fc.assert(
      fc.asyncProperty(commit, commit, async (a, b) => {
        const expected = git("merge-base", "--all", a, b)
        expect(await run(mergeBases(repository(), [a, b]))).toEqual(expected)
        expect(await run(mergeBase(repository(), [a, b]))).toBe(expected[0] ?? null)
        expect(await run(isAncestor(repository(), a, b))).toBe(expected.includes(a))
      }),
      { numRuns: 200, seed: 1 }
    )
  })

  it("is that of git for three and more", async () => {
    await fc.assert(
      fc.asyncProperty(commit, commit, commit, fc.array(commit, { maxLength: 2 }), async (a, b, c, more) => {
        expect(await run(mergeBases(repository(), [a, b, c, ...more]))).toEqual(git("merge-base", "--all", a, b, c, ...more))
      }),
      { numRuns: 60, seed: 2 }
    )
  })

  it("fails for a commit that is not there", async () => {
    const missing = "f".repeat(40)
    expect((await run(Effect.flip(mergeBase(repository(), [missing, ids[0] ?? ""]))))._tag).toBe("GitFailed")
  })
})

describe("merge base", () => {
  it("needs no process for a short history without a commit-graph, but behind a long one, until there is a graph", async () => {
    const repository = { path: `${folder()}/long.git` }
    cpSync(fixture.repository.path, repository.path, { recursive: true })
    const isKnown = async (commits: ReadonlyArray<string>) => (await run(knownHistory(repository, commits))) !== undefined
    const [one = "", other = "", ...others] = ids
    const short = [ids[59] ?? "", ids[119] ?? ""]
    expect([await isKnown(short), await isKnown(ids), await isKnown(short)]).toEqual([true, false, false])
    expect(await run(mergeBases(repository, [one, other, ...others]))).toEqual(git("merge-base", "--all", ...ids))
    writeGraph(repository.path, 120)
    expect([await isKnown(short), await isKnown(ids)]).toEqual([true, true])
  })

  it("is found in front of a commit that is damaged", async () => {
    const { object, repository } = emptyRepository(`${folder()}/damaged.git`)
    const tree = object("tree", "")
    const person = (seconds: number) => `A <a@example.com> ${firstCommitSeconds + seconds} +0000`
    const newCommit = (seconds: number, ...parents: ReadonlyArray<string>) => {
      const lines = [
        `tree ${tree}`,
        ...parents.map((id) => `parent ${id}`),
        `author ${person(seconds)}`,
        `committer ${person(seconds)}`
      ]
      return object("commit", `${lines.join("\n")}\n\n${seconds}\n`)
    }
    const root = newCommit(0)
    const base = newCommit(2, newCommit(1, root))
    const file = join(repository.path, "objects", root.slice(0, 2), root.slice(2))
    chmodSync(file, 0o644)
    writeFileSync(file, readFileSync(file).subarray(0, -1))
    expect(await run(mergeBases(repository, [newCommit(3, base), newCommit(4, base)]))).toEqual([base])
  })

  it("of three is not what all three share", async () => {
    const { a, b, c, late } = emptyTree().commits([
      { mark: "early", parents: [] },
      { mark: "late", parents: ["early"] },
      { mark: "a", parents: ["late"], ref: "refs/heads/a" },
      { mark: "b", parents: ["late"], ref: "refs/heads/b" },
      { mark: "c", parents: ["early"], ref: "refs/heads/c" }
    ])
    expect(await run(mergeBase({ path: `${folder()}/three.git` }, [a, b, c]))).toBe(late)
  })
})

const emptyTree = () => emptyRepository(`${folder()}/three.git`)

describe("compare", () => {
  it("is that of git for 200 random pairs", async () => {
    await fc.assert(
      fc.asyncProperty(commit, commit, fc.boolean(), async (from, to, isStraight) => {
        const [base] = git("merge-base", from, to)
        expect(await run(compare(fixture.repository, { from, to, isStraight }))).toEqual({
          commits: git("rev-list", "--reverse", `${from}..${to}`),
          isCutShort: false,
          base: isStraight ? from : (base ?? from),
          hasMergeBase: base !== undefined,
          isSameRef: from === to
        })
        const [behind, ahead] = (git("rev-list", "--count", "--left-right", `${from}...${to}`)[0] ?? "").split("\t").map(Number)
        expect(await run(divergence(fixture.repository, { from, to }))).toEqual({ behind, ahead })
      }),
      { numRuns: 200, seed: 3 }
    )
  })
})
