import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { Effect, Fiber } from "effect"
import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { makeContributors } from "#src/git/contributors/Contributors.ts"
import { type ContributorCache, contributorFiles } from "#src/git/contributors/cache.ts"
import type { Contributor, Tally } from "#src/git/contributors/totals.ts"
import type { Repository } from "#src/git/Repository.ts"
import { WorkPlaces } from "#src/platform/work/WorkPlaces.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import type { CommitStep, Signature } from "#test/support/git/gitImport.ts"
import { placesOf } from "#test/support/places.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()
let fixture: GitFixture
let ids: ReadonlyArray<string>

const person = (name: string | Uint8Array, email: string, seconds = 1_700_000_000): Signature => ({
  name,
  email,
  seconds,
  offset: "+0000"
})

/** 80 commits of five people with merges, times out of order, and people who change their names. */
const steps = (): ReadonlyArray<CommitStep> => {
  let state = 11
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % limit
  }
  return Array.from({ length: 80 }, (_, index) => {
    const recent = () => `c${Math.max(0, index - 1 - below(5))}`
    const number = below(5)
    const who = person(["Ann", "Ann B.", " ", "Ünal"][below(4)] ?? "", `p${number}@example.com`, 1_700_000_000 + below(50))
    return {
      mark: `c${index}`,
      ref: `refs/heads/b${index}`,
      parents: index === 0 ? [] : [...new Set([recent(), ...(below(4) === 0 ? [recent()] : [])])],
      files: { [`f${below(9)}`]: "line\n".repeat(below(20)), [`g${below(9)}`]: below(5) === 0 ? "\0" : `x${index}\n` },
      author: who,
      committer: who
    }
  })
}

beforeAll(() => {
  fixture = emptyRepository(`${folder()}/contributors.git`)
  ids = Object.values(fixture.commits(steps()))
})

/** Keeps counts in memory, and how often they were kept. */
const memory = () => {
  const kept = new Map<string, ReadonlyArray<Tally>>()
  let puts = 0
  const cache: ContributorCache = {
    get: (_, commit) => Effect.sync(() => kept.get(commit) ?? null),
    put: (_, commit, tallies) =>
      Effect.sync(() => {
        puts++
        kept.delete(commit)
        kept.set(commit, tallies)
      }),
    commits: () => Effect.sync(() => [...kept.keys()].reverse())
  }
  return { cache, kept, puts: () => puts }
}

const ask = (cache: ContributorCache, commit: string, repository: Repository = fixture.repository) =>
  Effect.runPromise(makeContributors(cache).of(repository, commit))

/** What `git log --numstat` adds up to. */
const fromNumstat = ({ git }: GitFixture, commit: string): ReadonlyArray<Contributor> => {
  interface Entry {
    readonly id: string
    readonly at: number
    readonly name: string
    readonly email: string
    readonly additions: number
    readonly deletions: number
  }
  const log = git(["log", "--no-merges", "--no-renames", "--numstat", "--format=commit%x09%H%x09%ct%x09%ae%x09%an", commit])
  const entries: Array<Entry> = []
  for (const line of log.split("\n")) {
    const [first = "", second = "", third = "", email = "", name = ""] = line.split("\t")
    const last = entries.at(-1)
    if (first === "commit") entries.push({ id: second, at: Number(third), email, name, additions: 0, deletions: 0 })
    else if (last !== undefined && first !== "") {
      const [plus, minus] = [Number(first) || 0, Number(second) || 0]
      entries.splice(-1, 1, { ...last, additions: last.additions + plus, deletions: last.deletions + minus })
    }
  }
  return [...new Set(entries.map(({ email }) => email))].sort().map((email) => {
    const own = entries.filter((entry) => entry.email === email)
    const [newest] = own.filter(({ name }) => name.trim() !== "").sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    return {
      email,
      name: newest?.name ?? "",
      commits: own.length,
      additions: own.reduce((sum, { additions }) => sum + additions, 0),
      deletions: own.reduce((sum, { deletions }) => sum + deletions, 0)
    }
  })
}

describe("contributors", () => {
  it("are those of git", async () => {
    const [last = ""] = ids.slice(-1)
    const all = await ask(memory().cache, last)
    expect(all).toEqual(fromNumstat(fixture, last))
    const shortlog = fixture.git(["shortlog", "-s", "-e", "-n", "--no-merges", "--group=format:%ae", last])
    const commits = shortlog.split("\n").map((line) => line.trim().split("\t"))
    expect(Object.fromEntries(all.map(({ commits: count, email }) => [email, String(count)]))).toEqual(
      Object.fromEntries(commits.map(([count, email]) => [email, count]))
    )
  })

  it("counted from any other commit are the same as from the beginning", async () => {
    const commit = fc.nat(79).map((index) => ids[index] ?? "")
    await fc.assert(
      fc.asyncProperty(commit, commit, commit, async (a, b, c) => {
        const { cache } = memory()
        for (const one of [a, b, c]) expect(await ask(cache, one)).toEqual(fromNumstat(fixture, one))
      }),
      { numRuns: 60, seed: 4 }
    )
  }, 60_000)

  it("of a push are the old counts and the new commits, nothing else", async () => {
    const { commits, repository } = emptyRepository(`${folder()}/push.git`)
    const { before, pushed } = commits([
      { mark: "root", files: { a: "1\n" } },
      { mark: "before", files: { a: "2\n" } },
      { mark: "pushed", files: { a: "3\n4\n" }, author: person("Bea", "bea@example.com") }
    ])
    const known: Tally = { email: "x@y", name: "X", commits: 900, additions: 8, deletions: 7, namedAt: 1, namedBy: before }
    const { cache, kept } = memory()
    kept.set(before, [known])
    expect(await ask(cache, pushed, repository)).toEqual([
      { email: "bea@example.com", name: "Bea", commits: 1, additions: 2, deletions: 1 },
      { email: "x@y", name: "X", commits: 900, additions: 8, deletions: 7 }
    ])
    kept.clear()
    kept.set(pushed, [known])
    expect((await ask(cache, pushed, repository))[0]?.commits).toBe(900)
  })

  it("keep letters apart, survive odd names, and have no merges", async () => {
    const odd = emptyRepository(`${folder()}/odd.git`)
    const { merge } = odd.commits([
      { mark: "a", files: { a: "1\n" }, author: person("A", "A@x.org") },
      { mark: "b", files: { a: "2\n" }, author: person("a", "a@x.org") },
      { mark: "latin", files: { b: "2\n" }, author: person(Buffer.from("Ren\xe9", "latin1"), "rene@x.org") },
      { mark: "empty", author: person("", "") },
      { mark: "side", ref: "refs/heads/side", parents: ["a"], files: { c: "1\n" }, author: person("A", "A@x.org") },
      { mark: "merge", parents: ["empty", "side"], files: { c: "1\n" }, author: person("M", "m@x.org") }
    ])
    expect(await ask(memory().cache, merge, odd.repository)).toEqual([
      { email: "", name: "", commits: 1, additions: 0, deletions: 0 },
      { email: "A@x.org", name: "A", commits: 2, additions: 2, deletions: 0 },
      { email: "a@x.org", name: "a", commits: 1, additions: 1, deletions: 1 },
      { email: "rene@x.org", name: "René", commits: 1, additions: 1, deletions: 0 }
    ])
  })

  it("start again when the known commit is gone", async () => {
    const { cache, kept } = memory()
    kept.set("f".repeat(40), [])
    const commit = ids[40] ?? ""
    expect(await ask(cache, commit)).toEqual(fromNumstat(fixture, commit))
  })

  it("are counted once for all who ask at the same time", async () => {
    const { cache, puts } = memory()
    const { of } = makeContributors(cache)
    const answers = await Effect.runPromise(
      Effect.all(
        Array.from({ length: 20 }, () => of(fixture.repository, ids[60] ?? "")),
        { concurrency: "unbounded" }
      )
    )
    expect([new Set(answers.map((answer) => JSON.stringify(answer))).size, puts()]).toEqual([1, 1])
  })

  it("stop being counted when nobody waits any more, and not before", async () => {
    const { cache, puts } = memory()
    const places = placesOf(0)
    const one = makeContributors(cache).of(fixture.repository, ids[60] ?? "")
    await Effect.runPromise(
      Effect.gen(function* () {
        const first = yield* Effect.forkChild(one)
        const second = yield* Effect.forkChild(one)
        while (places.background.queued === 0) yield* Effect.sleep(1)
        yield* Fiber.interrupt(first)
        expect(places.background.queued).toBe(1)
        yield* Fiber.interrupt(second)
        expect([places.background.queued, puts()]).toEqual([0, 0])
      }).pipe(Effect.provideService(WorkPlaces, places))
    )
  })

  it("fail for a commit that is not there", async () => {
    const missing = makeContributors(memory().cache).of(fixture.repository, "e".repeat(40))
    expect((await Effect.runPromise(Effect.flip(missing)))._tag).toBe("GitFailed")
  })
})

describe("files of counts", () => {
  const tally: Tally = { email: "a", name: "", commits: 1, additions: 2, deletions: 3, namedAt: -1e15, namedBy: "" }
  const keep = (repository: Repository, commit: string) => Effect.runPromise(contributorFiles.put(repository, commit, [tally]))

  it("give back what was put, the last first, and the last sixteen only", async () => {
    const repository = { path: `${folder()}/files.git` }
    mkdirSync(repository.path)
    const commits = Array.from({ length: 18 }, (_, index) => index.toString(16).padStart(40, "0"))
    for (const [index, commit] of commits.entries()) {
      await keep(repository, commit)
      // Clocks of file systems are coarse: as if a minute lay between one and the next.
      const at = new Date(Date.UTC(2024, 0, 1, 0, index))
      utimesSync(`${repository.path}/contributors.v1/${commit}.json`, at, at)
    }
    expect(await Effect.runPromise(contributorFiles.commits(repository))).toEqual(commits.slice(2).reverse())
    expect(await Effect.runPromise(contributorFiles.get(repository, commits[17] ?? ""))).toEqual([tally])
    expect(await Effect.runPromise(contributorFiles.get(repository, commits[0] ?? ""))).toBeNull()
    expect(readdirSync(`${repository.path}/contributors.v1`)).toHaveLength(16)
  })

  it("are counted anew when they are damaged", async () => {
    const commit = ids[50] ?? ""
    await ask(contributorFiles, commit)
    const file = `${fixture.repository.path}/contributors.v1/${commit}.json`
    expect(existsSync(file)).toBe(true)
    for (const damaged of ["", "[[1]]", '[["a"'])
      await Promise.resolve(writeFileSync(file, damaged)).then(async () =>
        expect(await ask(contributorFiles, commit)).toEqual(fromNumstat(fixture, commit))
      )
    expect(execFileSync("git", [`--git-dir=${fixture.repository.path}`, "fsck"], { encoding: "utf8", stdio: "pipe" })).toBe("")
  })
})
