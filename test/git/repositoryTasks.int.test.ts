import { Effect } from "effect"
import { beforeEach, expect, it } from "vitest"
import { RepositoryTasks } from "#src/git/RepositoryTasks.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import type { GitFixture } from "#test/support/git/gitFixtures.ts"
import { delays, useTasks } from "./maintenance/useTasks.ts"

const { newRepository, noted, run } = useTasks()
const tasks = <A, E>(use: (tasks: RepositoryTasks["Service"]) => Effect.Effect<A, E>) => run(RepositoryTasks.use(use))
const change = (statement: string) => run(Sql.use(({ client }) => query(() => client.unsafe(statement))))

let fixture: GitFixture
beforeEach(async () => {
  await change("delete from chronoforge.repository_tasks")
  fixture = newRepository()
})
const find = (task: "record" | "maintain") => tasks(({ find }) => find(task, fixture.repository))

it("what is noted is due after its delay, counted from the last note, but not later than the longest one", async () => {
  const { repository } = fixture
  expect(await find("maintain")).toBeUndefined()
  await tasks(({ schedule }) => schedule("maintain", repository))
  const first = await find("maintain")
  expect(first).toEqual({ repository, notes: 1, wait: expect.any(Number), isLate: false })
  expect(first?.wait).toBeLessThanOrEqual(delays.maintain.after)
  await change("update chronoforge.repository_tasks set latest_at = now() - interval '1 second'")
  await tasks(({ schedule }) => schedule("maintain", repository))
  const late = await find("maintain")
  expect(late).toEqual({ repository, notes: 2, wait: expect.any(Number), isLate: true })
  expect(late?.wait).toBeLessThan(-900)
})

it("moves of refs are noted with the maintenance that they want", async () => {
  const { repository } = fixture
  expect(await tasks(({ scheduleRecord }) => scheduleRecord(repository))).toEqual({ repository, notes: 1 })
  expect(await noted(fixture)).toEqual(["maintain", "record"])
  expect(await tasks(({ scheduleRecord }) => scheduleRecord(repository))).toEqual({ repository, notes: 2 })
})

it("what is done is forgotten, unless it was noted again meanwhile; and so it is put off", async () => {
  const { repository } = fixture
  const seen = await tasks(({ scheduleRecord }) => scheduleRecord(repository))
  await tasks(({ scheduleRecord }) => scheduleRecord(repository))
  await tasks(({ complete }) => complete("record", seen))
  await tasks(({ postpone }) => postpone("record", seen, 3_600_000))
  expect((await find("record"))?.wait).toBeLessThanOrEqual(60_000)
  await tasks(({ postpone }) => postpone("record", { repository, notes: 2 }, 3_600_000))
  expect((await find("record"))?.wait).toBeGreaterThan(3_500_000)
  await tasks(({ complete }) => complete("record", { repository, notes: 2 }))
  expect(await noted(fixture)).toEqual(["maintain"])
})

it("all repositories of a list are due at once, those that had something to do too", async () => {
  const others = [newRepository(), newRepository()]
  const all = [fixture, ...others].map(({ repository }) => repository)
  await tasks(({ schedule }) => schedule("maintain", fixture.repository))
  await tasks(({ scheduleAll }) => scheduleAll(all))
  for (const one of [fixture, ...others]) expect(await noted(one)).toEqual(["maintain", "record"])
  const next = await tasks(({ next }) => next("record", 2))
  expect(next.map(({ notes, wait }) => [notes, wait <= 0])).toEqual([
    [1, true],
    [1, true]
  ])
  expect(await find("maintain")).toMatchObject({ notes: 2, isLate: false })
})

it("who waits for a note is told by the next one, or one that came before", async () => {
  await tasks(({ schedule }) => schedule("count", fixture.repository))
  await tasks(({ awaitScheduled }) => awaitScheduled("count"))
  const both = Effect.fnUntraced(function* ({ awaitScheduled, schedule }: RepositoryTasks["Service"]) {
    yield* Effect.all([awaitScheduled("count"), schedule("count", fixture.repository)], { concurrency: 2 })
  })
  await tasks(both)
  expect(await noted(fixture)).toEqual(["count"])
})
