import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync } from "node:fs"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { contributorFiles, type ExceededCount } from "#src/git/contributors/cache.ts"
import { CountExceeded, exceededBy, mayFit } from "#src/git/contributors/limits.ts"
import { GitFailed } from "#src/git/Repository.ts"
import { mebibyte } from "#src/kernel/units.ts"
import { makeProcesses, Processes } from "#src/platform/processes/Processes.ts"
import { defaultProcessLimits } from "#src/platform/processes/ProcessLimits.ts"
import { emptyRepository } from "#test/support/git/gitFixtures.ts"
import { treeBomb } from "#test/support/git/treeBomb.ts"
import { useProcesses } from "#test/support/processes/useProcesses.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { withContributors } from "./withContributors.ts"

const folder = temporaryFolder()
const git = useProcesses()

describe("a count that comes to a limit", () => {
  const limitsOf = (memory: number) =>
    makeProcesses({ ...defaultProcessLimits, background: { memory: memory * mebibyte, cpu: 60, wall: 60 } })
  const within = <A, E>(memory: number, effect: Effect.Effect<A, E>) =>
    Effect.runPromise(Effect.provideService(effect, Processes, limitsOf(memory)))

  /** A commit of a tree of ten entries, ten deep, which are 10,000 million files. */
  const bomb = (name: string) => {
    const fixture = emptyRepository(`${folder()}/${name}.git`)
    return { commit: fixture.git(["commit-tree", "-m", "Add little", treeBomb(fixture, 10, 10).at(-1) ?? ""]), fixture }
  }

  it("is noted, and not tried again for that commit before the limit is higher", async () => {
    const { commit, fixture } = bomb("bomb")
    const noted: ExceededCount = { exceeded: "memory", memory: 64 * mebibyte, cpu: 60, wall: 60 }
    const count = withContributors(contributorFiles, ({ of }) => Effect.flip(of(fixture.repository, commit)))
    const logs = () => git.started("log", `--git-dir=${fixture.repository.path}`)
    git.forget()
    const failure = await within(64, count)
    expect([failure, logs()]).toEqual([new CountExceeded({ count: noted }), 1])
    expect(failure.message).toBe("The contributors cannot be counted: counting them needs more than 64 MiB of memory")
    expect(readdirSync(`${fixture.repository.path}/contributors.v1`)).toEqual([`${commit}.exceeded`])
    expect([await within(64, count), await within(48, count), logs()]).toEqual([failure, failure, 1])
    expect([await within(72, count), logs()]).toEqual([new CountExceeded({ count: { ...noted, memory: 72 * mebibyte } }), 2])
    const small = fixture.commits([{ mark: "small", ref: "refs/heads/small", files: { a: "1\n" } }]).small
    expect(
      (
        await within(
          64,
          withContributors(contributorFiles, ({ of }) => of(fixture.repository, small))
        )
      ).length
    ).toBe(1)
  })

  it("is not that of the commit where all processes together came to it, but for the second time", () => {
    const failed = (exceeded: GitFailed["exceeded"]) => {
      const failure = new GitFailed({ command: "log", status: null, stderr: "", ...(exceeded && { exceeded }) })
      return [exceededBy(failure, false), exceededBy(failure, true)]
    }
    expect((["memory", "time", "output", "together", "space", undefined] as const).map(failed)).toEqual([
      ["memory", "memory"],
      ["time", "time"],
      ["output", "output"],
      [undefined, "memory"],
      [undefined, undefined],
      [undefined, undefined]
    ])
  })

  it("of all processes together is noted when it was so twice", async () => {
    const { commit, fixture } = bomb("together")
    const logs = () => git.started("log", `--git-dir=${fixture.repository.path}`)
    git.forget()
    const limit = { memory: 1024 * mebibyte, cpu: 60, wall: 60 }
    const processes = makeProcesses({ ...defaultProcessLimits, background: limit, totalMemory: 64 * mebibyte })
    const asked = withContributors(contributorFiles, ({ of }) =>
      Effect.forEach([1, 2, 3], () => Effect.flip(of(fixture.repository, commit)))
    )
    const failures = await Effect.runPromise(Effect.provideService(asked, Processes, processes))
    const noted = new CountExceeded({ count: { ...limit, exceeded: "memory" } })
    expect([failures, logs()]).toEqual([[expect.objectContaining({ exceeded: "together" }), noted, noted], 2])
  })

  it.each([
    ["memory", { memory: 2 }, true],
    ["memory", { cpu: 2, wall: 2 }, false],
    ["time", { memory: 2 }, false],
    ["time", { cpu: 2 }, true],
    ["time", { wall: 2 }, true],
    ["output", { memory: 2, cpu: 2, wall: 2 }, false]
  ] as const)("of %s may fit where limits are %j: %s", (exceeded, raised, expected) => {
    const limit = { memory: 1, cpu: 1, wall: 1 }
    expect(mayFit({ ...limit, exceeded }, { ...limit, ...raised })).toBe(expected)
  })

  it("has its note among the last sixteen, which are not taken for counts", async () => {
    const repository = { path: `${folder()}/notes.git` }
    mkdirSync(repository.path)
    const count: ExceededCount = { exceeded: "time", memory: 1, cpu: 2, wall: 3 }
    const commits = Array.from({ length: 17 }, (_, index) => index.toString(16).padStart(40, "0"))
    for (const [index, commit] of commits.entries()) {
      await Effect.runPromise(contributorFiles.putExceeded(repository, commit, count))
      const at = new Date(Date.UTC(2024, 0, 1, 0, index))
      utimesSync(`${repository.path}/contributors.v1/${commit}.exceeded`, at, at)
    }
    const found = await Promise.all(commits.map((commit) => Effect.runPromise(contributorFiles.exceeded(repository, commit))))
    expect(found).toEqual([null, ...commits.slice(1).map(() => count)])
    expect(await Effect.runPromise(contributorFiles.commits(repository))).toEqual([])
    rmSync(repository.path, { recursive: true })
    await Effect.runPromise(contributorFiles.putExceeded(repository, commits[0] ?? "", count))
    expect(existsSync(repository.path)).toBe(false)
  })
})
