import { existsSync, readdirSync } from "node:fs"
import { rm, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Fiber, Layer, Logger } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { Maintenance } from "#src/git/maintenance.ts"
import { maintenanceNeeds, stateOf } from "#src/git/maintenanceNeeds.ts"
import { PushLocks } from "#src/git/pushLocks.ts"
import { emptyRepository, type GitFixture } from "#test/support/gitFixtures.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()
let fixture: GitFixture
let count = 0

beforeEach(() => {
  fixture = emptyRepository(join(folder(), `repository-${++count}`))
})

const layer = (delay: number) => Maintenance.layer({ delay }).pipe(Layer.provide(PushLocks.layer), Layer.merge(Logger.layer([])))
const withMaintenance = <A, E>(use: (maintenance: Maintenance["Service"]) => Effect.Effect<A, E>, delay = 3_600_000) =>
  Effect.runPromise(Effect.provide(Effect.flatMap(Effect.service(Maintenance), use), layer(delay)))
const maintain = () => withMaintenance((maintenance) => maintenance.maintain(fixture.repository))

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
  const state = { looseObjects: 0, packs: 1, looseRefs: 1, hasNewCommits: false }
  it.each([
    [{}, []],
    [{ hasNewCommits: true }, ["commitGraph"]],
    [{ looseObjects: 2_001 }, ["repack"]],
    [{ packs: 21, hasNewCommits: true }, ["repack", "commitGraph"]],
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

  it("comes some time after pushes, not while one is coming in", async () => {
    fixture.commits([{ mark: "one", files: { a: "1\n" } }])
    const program = (maintenance: Maintenance["Service"]) =>
      Effect.gen(function* () {
        yield* maintenance.note(fixture.repository)
        const push = yield* Effect.forkChild(maintenance.pushing(fixture.repository, Effect.sleep(400)))
        yield* Effect.sleep(300)
        const during = existsSync(chain())
        yield* Fiber.join(push)
        while (!existsSync(chain())) yield* Effect.sleep(10)
        return during
      })
    expect(await withMaintenance(program, 50)).toBe(false)
  })
})
