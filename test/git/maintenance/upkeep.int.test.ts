import { existsSync, readdirSync } from "node:fs"
import { mkdir, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Fiber, Latch } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { notedLimit } from "#src/git/maintenance/exceededNote.ts"
import { Maintenance } from "#src/git/maintenance/Maintenance.ts"
import { Repositories } from "#src/git/Repositories.ts"
import { RepositoryTasks } from "#src/git/RepositoryTasks.ts"
import { PushLocks } from "#src/git/refs/pushLocks.ts"
import { makeProcesses, Processes } from "#src/platform/processes/Processes.ts"
import { defaultProcessLimits } from "#src/platform/processes/ProcessLimits.ts"
import { query, Sql, transaction } from "#src/platform/sql/Sql.ts"
import type { GitFixture } from "#test/support/git/gitFixtures.ts"
import { treeBomb } from "#test/support/git/treeBomb.ts"
import { useProcesses } from "#test/support/processes/useProcesses.ts"
import { until } from "#test/support/until.ts"
import { type Process, type Services, useTasks } from "./useTasks.ts"

const git = useProcesses()
const { newRepository, noted, run, start } = useTasks()
const note = (fixture: GitFixture) => run(RepositoryTasks.use((tasks) => tasks.schedule("maintain", fixture.repository)))
const upkeep = Maintenance.use((maintenance) => maintenance.run)
const chain = ({ repository }: GitFixture) => join(repository.path, "objects/info/commit-graphs/commit-graph-chain")
const waitOf = async (fixture: GitFixture) =>
  (await run(RepositoryTasks.use((tasks) => tasks.find("maintain", fixture.repository))))?.wait
const hour = 3_600_000

let fixture: GitFixture
beforeEach(async () => {
  await run(Sql.use(({ client }) => query(() => client`delete from chronoforge.repository_tasks`)))
  fixture = newRepository()
})

/** Upkeep in this process until the claim holds. */
const upkeepUntil = (claim: () => boolean | Promise<boolean>, { run: runIn } = { run }) =>
  runIn(
    Effect.raceFirst(
      upkeep,
      Effect.promise(() => until(claim))
    )
  )
const isDone = async () => (await noted(fixture)).length === 0

describe("what is due in repositories", () => {
  it("is done, and forgotten: maintenance, then the count of contributors", async () => {
    const tip = fixture.git(["rev-parse", "main"])
    await note(fixture)
    await upkeepUntil(isDone)
    expect([existsSync(chain(fixture)), existsSync(join(fixture.repository.path, `contributors.v1/${tip}.json`))]).toEqual([
      true,
      true
    ])
  })

  it("is done in those that are due, and no other is looked at", async () => {
    const others = Array.from({ length: 10 }, newRepository)
    await note(fixture)
    git.forget()
    await upkeepUntil(isDone)
    expect(git.started()).toBe(git.started(`--git-dir=${fixture.repository.path}`))
    expect(others.filter((other) => existsSync(chain(other)))).toEqual([])
  })

  it("is done where a process ended before it came to it", async () => {
    const other = await start()
    await other.run(RepositoryTasks.use((tasks) => tasks.schedule("maintain", fixture.repository)))
    await other.end()
    await upkeepUntil(isDone)
    expect(existsSync(chain(fixture))).toBe(true)
  })

  it("is counted where a process ended after the maintenance", async () => {
    await run(RepositoryTasks.use((tasks) => tasks.schedule("count", fixture.repository)))
    await upkeepUntil(isDone)
    const tip = fixture.git(["rev-parse", "main"])
    expect([existsSync(chain(fixture)), existsSync(join(fixture.repository.path, `contributors.v1/${tip}.json`))]).toEqual([
      false,
      true
    ])
  })

  it("stays noted where it was noted again meanwhile", async () => {
    await note(fixture)
    const maintained = Maintenance.use((maintenance) => maintenance.maintain(fixture.repository))
    const isBlocked = Sql.use(({ client }) =>
      query(() => client`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    ).pipe(Effect.map((rows) => rows.length > 0))
    const program = Effect.gen(function* () {
      const [{ client }, { idOf }] = [yield* Sql, yield* Repositories]
      // Maintenance ends with the note of a count: it waits for this transaction.
      const maintaining = yield* transaction(
        client,
        Effect.fnUntraced(function* (tx) {
          yield* query(
            () => tx`
              insert into chronoforge.repository_tasks (project_id, task, due_at, latest_at)
              values (${idOf(fixture.repository)}, 'count', now(), now())`
          )
          const fiber = yield* Effect.forkChild(maintained)
          yield* Effect.promise(() => until(() => run(isBlocked)))
          yield* Effect.promise(() => note(fixture))
          return fiber
        })
      )
      yield* Fiber.join(maintaining)
    })
    await run(program)
    expect(await noted(fixture)).toEqual(["count", "maintain"])
  })

  it("is done once by several processes", async () => {
    const processes: ReadonlyArray<Process> = [await start(), await start()]
    const all = [fixture, ...Array.from({ length: 7 }, newRepository)]
    for (const one of all) await note(one)
    git.forget()
    const areDone = async () => (await Promise.all(all.map(noted))).flat().length === 0
    await Promise.all(processes.map((one) => upkeepUntil(areDone, one)))
    const written = all.map(({ repository }) => git.started(`--git-dir=${repository.path}`, "commit-graph", "write"))
    expect(written).toEqual(all.map(() => 1))
  })

  it("waits where another process is at it, while the rest goes on", async () => {
    const [other, free] = [await start(), newRepository()]
    await note(fixture)
    await note(free)
    const [held, mayEnd] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
    const holding = other.run(
      PushLocks.use((locks) => locks.withMaintenanceLock(fixture.repository, Effect.andThen(held.open, mayEnd.await)))
    )
    await run(held.await)
    await upkeepUntil(async () => (await noted(free)).length === 0)
    expect(await noted(fixture)).toEqual(["maintain"])
    await run(mayEnd.open)
    await holding
    await upkeepUntil(isDone)
  })

  it("comes some time after pushes, not while one is coming in", async () => {
    const [begun, mayEnd] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
    const incoming = Effect.andThen(begun.open, mayEnd.await)
    const program = Effect.gen(function* () {
      const running = yield* Effect.forkChild(upkeep)
      const push = yield* Effect.forkChild(Maintenance.use((maintenance) => maintenance.withPush(fixture.repository, incoming)))
      yield* begun.await
      // Longer than it would take to begin, shorter than pushes may put it off.
      yield* Effect.sleep(200)
      const during = existsSync(chain(fixture))
      yield* mayEnd.open
      yield* Fiber.join(push)
      yield* Effect.promise(() => until(isDone))
      yield* Fiber.interrupt(running)
      return during
    })
    expect(await run(program)).toBe(false)
  })

  it("comes beside a push that does not end", async () => {
    const endless = Maintenance.use((maintenance) => maintenance.withPush(fixture.repository, Effect.never))
    await run(
      Effect.raceFirst(
        endless,
        Effect.promise(() => upkeepUntil(() => existsSync(chain(fixture))))
      )
    )
  })

  it("is tried again a day later where it failed", async () => {
    await writeFile(join(fixture.repository.path, "HEAD"), "nonsense\n")
    await note(fixture)
    await upkeepUntil(async () => ((await waitOf(fixture)) ?? 0) > hour)
    expect(await noted(fixture)).toEqual(["maintain"])
    expect(await waitOf(fixture)).toBeGreaterThan(23 * hour)
    await note(fixture)
    expect(await waitOf(fixture)).toBeLessThanOrEqual(50)
  })

  it("that exceeds a limit is noted, and not tried again before something changed", async () => {
    const tight = makeProcesses({ ...defaultProcessLimits, background: { memory: 1024 ** 2, cpu: 60, wall: 60 } })
    await note(fixture)
    const inTight = <A, E>(effect: Effect.Effect<A, E, Services>) => run(Effect.provideService(effect, Processes, tight))
    await upkeepUntil(isDone, { run: inTight })
    expect(await run(notedLimit(fixture.repository))).toBe("memory")
    const other = newRepository()
    git.forget()
    await note(other)
    await upkeepUntil(async () => (await noted(other)).length === 0)
    const started = [other, fixture].map(({ repository }) => git.started(`--git-dir=${repository.path}`) > 0)
    expect([started, await run(notedLimit(fixture.repository))]).toEqual([[true, false], "memory"])
    await note(fixture)
    await upkeepUntil(isDone)
    expect(await run(notedLimit(fixture.repository))).toBeUndefined()
  })

  it("that counts contributors and exceeds a limit is noted, and not tried again for the same commit", async () => {
    const [memory, logs] = [64 * 1024 ** 2, () => git.started("log", `--git-dir=${fixture.repository.path}`)]
    const tight = makeProcesses({ ...defaultProcessLimits, background: { memory, cpu: 60, wall: 60 } })
    const inTight = <A, E>(effect: Effect.Effect<A, E, Services>) => run(Effect.provideService(effect, Processes, tight))
    const tip = fixture.git(["commit-tree", "-m", "Add little", treeBomb(fixture, 10, 10).at(-1) ?? ""])
    fixture.git(["update-ref", "refs/heads/main", tip])
    git.forget()
    for (const _ of ["first", "again"]) {
      await run(RepositoryTasks.use((tasks) => tasks.schedule("count", fixture.repository)))
      await upkeepUntil(isDone, { run: inTight })
      const kept = readdirSync(join(fixture.repository.path, "contributors.v1"))
      expect([kept, logs()]).toEqual([[`${tip}.exceeded`], 1])
    }
  })

  it("comes again when what a push may have left is old enough to be that of a killed one", async () => {
    const young = join(fixture.repository.path, "objects/tmp_objdir-incoming-a")
    const old = join(fixture.repository.path, "objects/tmp_objdir-incoming-b")
    for (const path of [young, old]) await mkdir(path)
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * hour)
    await utimes(old, hoursAgo(25), hoursAgo(25))
    await utimes(young, hoursAgo(20), hoursAgo(20))
    await note(fixture)
    // The count is over too, because its own temporary file would be young as well.
    await upkeepUntil(async () => ((await waitOf(fixture)) ?? 0) > hour && (await noted(fixture)).length === 1)
    expect([existsSync(old), existsSync(young), Math.round(((await waitOf(fixture)) ?? 0) / hour)]).toEqual([false, true, 4])
    await utimes(young, hoursAgo(24), hoursAgo(24))
    await note(fixture)
    await upkeepUntil(isDone)
    expect(existsSync(young)).toBe(false)
  })
})
