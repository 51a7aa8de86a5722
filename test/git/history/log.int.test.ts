import { Effect } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { countCommits, type LogOptions, log, logIds } from "#src/git/history/log.ts"
import { useStandardRepository, withObjects } from "../useRepository.ts"

const standard = useStandardRepository()
const ids = (options: LogOptions) => Effect.runPromise(logIds(standard().repository, options))

it("has the commits of a history, newest first", async () => {
  const { git, ids: known, repository } = standard()
  const commits = await withObjects(log(repository, { from: [known.head] }))
  expect(commits.map(({ id }) => id)).toEqual(git(["rev-list", known.head]).split("\n"))
  expect(commits[0]?.message).toBe("head")
})

it("selects as git does", async () => {
  const { git, ids: known } = standard()
  const rows: ReadonlyArray<readonly [LogOptions, ReadonlyArray<string>]> = [
    [{ from: [known.head], path: "src/main.ts" }, [known.head, known.fifth, known.first]],
    [{ from: [known.head], path: "/docs/" }, [known.third, known.second]],
    [{ from: [known.head], path: "none" }, []],
    [{ from: [known.head], without: [known.fifth] }, [known.head, known.merged, known.topicB, known.topicA]],
    [{ from: [known.head], without: [known.fifth], firstParent: true }, [known.head, known.merged]],
    [{ from: [known.head], without: [known.fifth], merges: "none" }, [known.head, known.topicB, known.topicA]],
    [{ from: [known.head], merges: "only" }, [known.merged]],
    [{ from: [known.head], author: "Zoë" }, [known.topicA]],
    [{ from: [known.head], author: "zoe@example.com" }, [known.topicA]],
    [{ from: [known.head], author: "Zo." }, []],
    [{ from: [known.head], author: "[" }, []],
    [{ from: [known.head], author: "--all" }, []],
    [{ from: [known.head], author: "A\0b" }, []],
    [{ from: [known.fifth], skip: 1, limit: 2 }, [known.fourth, known.third]],
    [{ from: [known.fifth], limit: 2, reverse: true }, [known.fourth, known.fifth]],
    [{ from: [known.fifth], limit: 0 }, []],
    [{ from: [known.fifth], skip: 100 }, []],
    [{ from: [known.fifth], since: 1_700_000_180 }, [known.fifth, known.fourth]],
    [{ from: [known.fifth], until: 1_700_000_060 }, [known.second, known.first]],
    [{ from: [] }, []],
    [{ from: [known.odd], path: ":(top)magic" }, [known.odd]],
    [{ from: [known.odd], path: "star*[a].txt" }, [known.odd]],
    [{ from: [known.odd], path: "star*" }, []],
    [{ from: [known.odd], path: "--output=x" }, [known.odd]],
    [{ from: [known.odd], path: "new\nline.txt" }, [known.odd]],
    [{ from: [known.head], path: "../etc/passwd" }, []],
    [{ from: [known.head], path: "src/\0" }, []]
  ]
  for (const [options, expected] of rows) {
    expect([options, await ids(options)]).toEqual([options, expected])
    const { limit, skip, ...rest } = options
    if (limit !== 0) {
      const whole = await Effect.runPromise(countCommits(standard().repository, rest))
      expect(whole).toBe((await ids(rest)).length)
    }
  }
  expect(git(["log", "-1", "--format=%H", "--author=Zo.", known.head])).toBe(known.topicA)
})

it("has all refs but the hidden ones", async () => {
  const { commits, git, ids: known, repository } = standard()
  const { hidden } = commits([{ mark: "hidden", ref: "refs/internal/a/b", parents: [known.first] }])
  const all = await ids({ from: "all" })
  expect(all.includes(hidden)).toBe(false)
  expect(new Set(all)).toEqual(new Set(git(["rev-list", "--branches", "--tags"]).split("\n")))
  expect(await Effect.runPromise(countCommits(repository, { from: "all" }))).toBe(all.length)
})

it("fails for a commit that is not there", async () => {
  const failure = await Effect.runPromise(Effect.flip(logIds(standard().repository, { from: ["1".repeat(40)] })))
  expect(failure._tag).toBe("GitFailed")
})

it("selects as git does, in any combination", async () => {
  const { git, ids: known } = standard()
  const commit = fc.constantFrom(
    known.head,
    known.octopus,
    known.crossLeft,
    known.crossRight,
    known.topicB,
    known.fifth,
    known.latin
  )
  const options = fc.record(
    {
      from: fc.array(commit, { minLength: 1, maxLength: 3 }),
      without: fc.array(commit, { maxLength: 2 }),
      path: fc.constantFrom("src", "README.md", "topic.txt", "docs", "data/empty"),
      firstParent: fc.boolean(),
      order: fc.constantFrom("topo" as const, "default" as const),
      skip: fc.nat(4),
      limit: fc.integer({ min: 1, max: 6 })
    },
    { requiredKeys: ["from"] }
  )
  await fc.assert(
    fc.asyncProperty(options, async (it) => {
      const args = [
        ...(it.firstParent ? ["--first-parent"] : []),
        ...(it.order === "topo" ? ["--topo-order"] : []),
        `--skip=${it.skip ?? 0}`,
        `--max-count=${it.limit ?? -1}`,
        ...it.from,
        ...(it.without ?? []).map((id) => `^${id}`),
        ...(it.path === undefined ? [] : ["--", it.path])
      ]
      expect(await ids(it)).toEqual(
        git(["log", "--format=%H", ...args])
          .split("\n")
          .filter((id) => id !== "")
      )
    }),
    { numRuns: 60 }
  )
})
