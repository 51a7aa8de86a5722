import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { Effect, Fiber, Latch } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { type ContributorCache, contributorFiles, type ExceededCount } from "#src/git/contributors/cache.ts"
import { BeingCounted } from "#src/git/contributors/limits.ts"
import { secondsLeft } from "#src/git/contributors/sharedCounts.ts"
import type { Contributor, Tally } from "#src/git/contributors/totals.ts"
import { deal } from "#src/git/contributors/wholeHistory.ts"
import type { Repository } from "#src/git/Repository.ts"
import { defaultPlaces, makeWorkPlaces, WorkPlaces } from "#src/platform/work/WorkPlaces.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import type { CommitStep, Signature } from "#test/support/git/gitImport.ts"
import { placesOf } from "#test/support/places.ts"
import { useProcesses } from "#test/support/processes/useProcesses.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { withContributors } from "./withContributors.ts"

const folder = temporaryFolder()
const git = useProcesses()
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
  const exceeded = new Map<string, ExceededCount>()
  let puts = 0
  const cache: ContributorCache = {
    get: (_, commit) => Effect.sync(() => kept.get(commit) ?? null),
    put: (_, commit, tallies) =>
      Effect.sync(() => {
        puts++
        kept.delete(commit)
        kept.set(commit, tallies)
      }),
    commits: () => Effect.sync(() => [...kept.keys()].reverse()),
    exceeded: (_, commit) => Effect.sync(() => exceeded.get(commit) ?? null),
    putExceeded: (_, commit, count) => Effect.sync(() => exceeded.set(commit, count))
  }
  return { cache, kept, exceeded, puts: () => puts }
}

const ask = (cache: ContributorCache, commit: string, repository: Repository = fixture.repository) =>
  Effect.runPromise(withContributors(cache, ({ of }) => of(repository, commit)))

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
  })

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
    const answers = await Effect.runPromise(
      withContributors(cache, ({ of }) =>
        Effect.all(
          Array.from({ length: 20 }, () => of(fixture.repository, ids[60] ?? "")),
          { concurrency: "unbounded" }
        )
      )
    )
    expect([new Set(answers.map((answer) => JSON.stringify(answer))).size, puts()]).toEqual([1, 1])
  })

  it("fail for a commit that is not there", async () => {
    const missing = withContributors(memory().cache, ({ of }) => of(fixture.repository, "e".repeat(40)))
    expect((await Effect.runPromise(Effect.flip(missing)))._tag).toBe("GitFailed")
  })
})

/** A cache whose first look for counted commits, with which every count begins, waits for the gate. */
const gated = () => {
  const kept = memory()
  const [reached, gate] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
  const commits: ContributorCache["commits"] = (repository) =>
    Effect.andThen(Effect.andThen(reached.open, gate.await), kept.cache.commits(repository))
  return { ...kept, reached, gate, cache: { ...kept.cache, commits } }
}

describe("a long count", () => {
  const [commit, other] = [() => ids[60] ?? "", () => ids[70] ?? ""]
  const asked = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(Effect.provide(effect, TestClock.layer()))

  it("is waited for 30 seconds, and goes on for whoever asks later", async () => {
    const { cache, gate, puts, reached } = gated()
    const program = withContributors(cache, ({ of }) =>
      Effect.gen(function* () {
        const first = yield* Effect.forkChild(Effect.flip(of(fixture.repository, commit())))
        yield* reached.await
        yield* TestClock.adjust("29 seconds")
        expect(first.pollUnsafe()).toBeUndefined()
        yield* TestClock.adjust("1 second")
        expect(yield* Fiber.join(first)).toEqual(new BeingCounted({ seconds: 30 }))
        const later = yield* Effect.forkChild(of(fixture.repository, commit()))
        yield* gate.open
        return yield* Fiber.join(later)
      })
    )
    expect([await asked(program), puts()]).toEqual([fromNumstat(fixture, commit()), 1])
  })

  it("goes on when all who asked have left", async () => {
    const { cache, gate, kept, reached } = gated()
    const done = Latch.makeUnsafe()
    const put: ContributorCache["put"] = (...all) => Effect.andThen(cache.put(...all), done.open)
    const program = withContributors({ ...cache, put }, ({ of }) =>
      Effect.gen(function* () {
        const first = yield* Effect.forkChild(of(fixture.repository, commit()))
        yield* reached.await
        yield* Fiber.interrupt(first)
        yield* gate.open
        yield* done.await
      })
    )
    await asked(program)
    expect([...kept.keys()]).toEqual([commit()])
  })

  it("delays others of the repository, which are given up when nobody waits for them any more", async () => {
    const { cache, gate, kept, reached } = gated()
    const program = withContributors(cache, ({ count, of }) =>
      Effect.gen(function* () {
        const first = yield* Effect.forkChild(count(fixture.repository, commit()))
        yield* reached.await
        const second = yield* Effect.forkChild(of(fixture.repository, other()))
        yield* TestClock.adjust("30 seconds")
        expect(yield* Effect.flip(Fiber.join(second))).toEqual(new BeingCounted({ seconds: 30 }))
        yield* gate.open
        yield* Fiber.join(first)
        yield* count(fixture.repository, ids[50] ?? "")
      })
    )
    await asked(program)
    expect([...kept.keys()]).toEqual([commit(), ids[50]])
  })

  it("ends with the service", async () => {
    const { cache, puts } = memory()
    const places = placesOf(0)
    const program = withContributors(cache, ({ of }) =>
      Effect.gen(function* () {
        yield* Effect.forkChild(of(fixture.repository, commit()))
        while (places.background.queued === 0) yield* Effect.yieldNow
      })
    )
    await Effect.runPromise(Effect.provideService(program, WorkPlaces, places))
    expect([places.background.queued, puts()]).toEqual([0, 0])
  })

  it.each([
    [{ counted: 0, total: 100, startedAt: 1000 }, 9000, undefined],
    [{ counted: 25, total: 100, startedAt: 1000 }, 11_000, 30],
    [{ counted: 3, total: 100, startedAt: 1000 }, 2000, 33],
    [{ counted: 100, total: 100, startedAt: 1000 }, 2000, 1]
  ])("of which %j is done at %i takes so many seconds more: %s", (progress, now, seconds) => {
    expect(secondsLeft(progress, now)).toBe(seconds)
  })
})

describe("a whole history", () => {
  /** 1,500 commits: merges, roots of their own, binary files, renames. */
  const largeHistory = () => {
    const large = emptyRepository(`${folder()}/large.git`)
    const marks = large.commits(
      Array.from({ length: 1500 }, (_, index): CommitStep => {
        const who = person(`P${index % 7}`, `p${index % 7}@example.com`, 1_700_000_000 + index)
        const [last, moved] = [`c${index - 1}`, index % 10 === 9]
        const isRoot = index % 400 === 0
        return {
          mark: `c${index}`,
          ref: isRoot ? `refs/heads/r${index}` : "refs/heads/main",
          parents: isRoot ? [] : index % 400 === 50 && index > 400 ? [last, `c${index - 60}`] : [last],
          files: {
            [`f${index % 11}`]: `${"line\n".repeat(index % 17)}${index}\n`,
            [`b${index % 5}`]: index % 3 === 0 ? `\0${index}` : `text ${index}\n`,
            ...(moved ? { old: null, [`new${index}`]: "moved\n".repeat(30) } : { old: "moved\n".repeat(30) })
          },
          author: who,
          committer: who
        }
      })
    )
    return { large, tip: Object.values(marks).at(-1) ?? "" }
  }

  it("is read by several processes, as many as there are places for, with the totals of one", async () => {
    const { large, tip } = largeHistory()
    const expected = fromNumstat(large, tip)
    expect(expected.reduce((sum, { commits }) => sum + commits, 0)).toBeGreaterThan(1000)
    const logs = () => git.started("log", "--stdin", `--git-dir=${large.repository.path}`)
    for (const [maxProcesses, places, processes] of [
      [3, 8, 3],
      [3, 2, 2],
      [1, 8, 1]
    ] as const) {
      git.forget()
      const counting = withContributors(memory().cache, ({ of }) => of(large.repository, tip), { maxProcesses })
      const background = { ...defaultPlaces.background, concurrency: places, perCaller: places }
      const counted = Effect.provideService(counting, WorkPlaces, makeWorkPlaces({ ...defaultPlaces, background }))
      expect([await Effect.runPromise(counted), logs()]).toEqual([expected, processes])
    }
  })

  it("is dealt in turns of 256 commits", () => {
    const lines = Buffer.from(Array.from({ length: 600 }, (_, index) => `${index.toString().padStart(40, "0")}\n`).join(""))
    const piles = deal(lines, 2).map(String)
    expect(piles.map((pile) => [Number(pile.slice(0, 40)), pile.length / 41])).toEqual([
      [0, 344],
      [256, 256]
    ])
    expect(deal(lines, 9)).toHaveLength(3)
    expect(deal(Buffer.alloc(0), 2)).toEqual([])
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
