import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { rm, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Layer, Logger } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { Contributors } from "#src/git/contributors/Contributors.ts"
import { CommitGraphs } from "#src/git/history/CommitGraphs.ts"
import { Maintenance } from "#src/git/maintenance/Maintenance.ts"
import { maintenanceNeeds, stateOf } from "#src/git/maintenance/needs.ts"
import type { Repository } from "#src/git/Repository.ts"
import { PushLocks } from "#src/git/refs/pushLocks.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import { noTasks } from "#test/support/git/noTasks.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()
let fixture: GitFixture
let count = 0

beforeEach(() => {
  fixture = emptyRepository(join(folder(), `repository-${++count}`))
})

const layer = Maintenance.layer.pipe(
  Layer.provide(Layer.mergeAll(PushLocks.layer, Contributors.layer, CommitGraphs.layer, noTasks)),
  Layer.merge(Logger.layer([]))
)
const maintain = (repository = fixture.repository) =>
  Effect.runPromise(
    Effect.provide(
      Maintenance.use((maintenance) => maintenance.maintain(repository)),
      layer
    )
  )

const packs = () => readdirSync(join(fixture.repository.path, "objects/pack")).filter((name) => name.endsWith(".pack"))
const chain = () => join(fixture.repository.path, "objects/info/commit-graphs/commit-graph-chain")
/** One pack for each of these numbers. */
const addPacks = (from: number, to: number) => {
  for (let index = from; index < to; index++) {
    fixture.commits([{ mark: "next", files: { [`file-${index}`]: `${index}\n`.repeat(50) } }])
    fixture.git(["repack", "-dq"])
  }
}

describe("maintenanceNeeds", () => {
  const state = { looseObjects: 0, packs: 1, unmappedBytes: 0, looseRefs: 1, hasNewCommits: false }
  it.each([
    [{}, []],
    [{ hasNewCommits: true }, ["commitGraph"]],
    [{ looseObjects: 2_001 }, ["repack"]],
    [{ packs: 21, hasNewCommits: true }, ["repack", "commitGraph"]],
    [{ unmappedBytes: 32 * 1024 * 1024 }, []],
    [{ unmappedBytes: 32 * 1024 * 1024 + 1 }, ["repack"]],
    [{ looseRefs: 501 }, ["packRefs"]]
  ])("of %j: %j", (change, tasks) => {
    expect(maintenanceNeeds({ ...state, ...change })).toEqual(tasks)
  })
})

describe("maintenance", () => {
  it("writes the commit-graph in steps", async () => {
    fixture.commits([{ mark: "one", files: { a: "1\n" } }])
    expect(await maintain()).toEqual(["commitGraph"])
    fixture.commits([{ mark: "two", files: { a: "2\n" } }])
    await maintain()
    fixture.git(["commit-graph", "verify"])
    expect(existsSync(chain())).toBe(true)
  })

  it("writes the commit-graph anew where it is damaged", async () => {
    fixture.commits([{ mark: "one", files: { a: "1\n" } }])
    await maintain()
    const [layer = ""] = readFileSync(chain(), "utf8").split("\n")
    const file = join(chain(), "..", `graph-${layer}.graph`)
    const bytes = readFileSync(file)
    await rm(file)
    // No parent: now one that is not there.
    await writeFile(file, Buffer.from(bytes.toString("latin1").replace("\x70\0\0\0", "\x6f\0\0\0"), "latin1"))
    fixture.commits([{ mark: "two", files: { a: "2\n" } }])
    expect(() => fixture.git(["rev-list", "main"])).toThrow("invalid parent position")
    expect(await maintain()).toEqual(["commitGraph"])
    expect(fixture.git(["rev-list", "--count", "main"])).toBe("2")
    fixture.git(["commit-graph", "verify"])
  })

  it("of an empty repository does nothing bad", async () => {
    expect(await maintain()).toEqual(["commitGraph"])
  })

  it("brings many packs together, at first all, later by size", async () => {
    addPacks(0, 25)
    expect(await maintain()).toEqual(["repack", "commitGraph"])
    expect([
      packs().length,
      readdirSync(join(fixture.repository.path, "objects/pack")).some((name) => name.endsWith(".bitmap"))
    ]).toEqual([1, true])
    addPacks(25, 50)
    expect(await maintain()).toEqual(["repack", "commitGraph"])
    expect(packs().length).toBeLessThan(4)
    fixture.git(["fsck", "--strict"])
    fixture.git(["multi-pack-index", "verify"])
    expect(fixture.git(["rev-list", "--count", "--use-bitmap-index", "main"])).toBe("50")
    addPacks(50, 75)
    await rm(join(fixture.repository.path, "last-full-repack"))
    await maintain()
    expect(packs().length).toBe(1)
    fixture.git(["fsck", "--strict"])
  })

  it("keeps what nothing names for two weeks", async () => {
    const young = fixture.object("blob", "young")
    const old = fixture.object("blob", "old")
    const file = join(fixture.repository.path, "objects", old.slice(0, 2), old.slice(2))
    const date = new Date(Date.now() - 15 * 86_400_000)
    await utimes(file, date, date)
    addPacks(0, 25)
    await maintain()
    expect(fixture.git(["cat-file", "-t", young])).toBe("blob")
    expect(() => fixture.git(["cat-file", "-t", old])).toThrow()
  })

  it("does nothing where the repository has gone", async () => {
    const gone: Repository = { path: `${fixture.repository.path}.gone` }
    expect(await maintain(gone)).toEqual([])
  })

  it("packs many refs", async () => {
    const { one } = fixture.commits([{ mark: "one", files: { a: "1\n" } }])
    fixture.git(
      ["update-ref", "--stdin"],
      Array.from({ length: 501 }, (_, index) => `create refs/tags/v${index} ${one}\n`).join("")
    )
    expect(await maintain()).toEqual(["packRefs", "commitGraph"])
    expect((await Effect.runPromise(stateOf(fixture.repository, false))).looseRefs).toBe(0)
    expect(fixture.git(["tag"]).split("\n")).toHaveLength(501)
  })

  it("goes on where a killed one left off", async () => {
    fixture.commits([{ mark: "one", files: { a: "1\n" } }])
    const lock = join(fixture.repository.path, "objects/info/commit-graphs/commit-graph-chain.lock")
    await maintain()
    await writeFile(lock, "")
    const date = new Date(Date.now() - 3_600_000)
    await utimes(lock, date, date)
    fixture.commits([{ mark: "two", files: { a: "2\n" } }])
    expect(await maintain()).toEqual(["commitGraph"])
    expect(existsSync(lock)).toBe(false)
  })

  it("sees how much no bitmap covers", async () => {
    addPacks(0, 2)
    const sizes = packs().map((name) => statSync(join(fixture.repository.path, "objects/pack", name)).size)
    const unmapped = async () => (await Effect.runPromise(stateOf(fixture.repository, false))).unmappedBytes
    expect(await unmapped()).toBe(sizes.reduce((sum, size) => sum + size, 0))
    fixture.git(["repack", "-a", "-d", "-q", "--write-bitmap-index"])
    expect(await unmapped()).toBe(0)
  })
})
