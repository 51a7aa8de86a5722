import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { handle } from "#src/platform/Commands.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { scheduleAggregate } from "#src/schedules/aggregate.ts"
import { runScheduler } from "#src/schedules/scheduler/runScheduler.ts"
import type { MissedPolicy } from "#src/schedules/slots/missed.ts"
import { field } from "#test/support/exactly.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { until } from "#test/support/until.ts"
import { fireDue } from "./fireDue.ts"
import { atTime, useScheduler } from "./useScheduler.ts"

const { fireAt, get, pipelinesOf, runsOf, scheduled, service } = useScheduler()
const hour = 3_600_000
const nextOf = async (projectId: number, id: number) => Date.parse(String(field((await get(projectId, id)).body, "next_run_at")))

/** The process dies after so many appends: what it would append then is not there. */
const dyingAfter = <A, E, R>(appends: number, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(EventStore, (store) => {
    let left = appends
    const append: typeof store.append = (...input) =>
      Effect.suspend(() => (left-- > 0 ? store.append(...input) : Effect.die("the process is dead")))
    return Effect.provideService(effect, EventStore, { ...store, append })
  })

/** Tells the next run as a process does whose clock stands there. */
const planAgain = (id: number, now: number) => handle(scheduleAggregate, id, { _tag: "Reschedule", now, minInterval: 60_000 })

/** Three slots are due, and the scheduler dies; the next one does what is left. Answers what became of them all. */
const afterCrash = async (policy: MissedPolicy, appends: number) => {
  const { id, next, projectId } = await scheduled(`${policy.replace("_", "-")}-${appends}`)
  const now = next + 2 * hour + 1
  const firing = { policy, serverUrl: service.url }
  await service.run(Effect.andThen(atTime(now, dyingAfter(appends, fireDue(firing))), settled))
  const isOver = async () => {
    const runs = await runsOf(projectId, id)
    return runs.length === 3 && runs.every(([state]) => state !== "started")
  }
  const over = Effect.promise(() => until(isOver))
  await service.run(Effect.andThen(Effect.raceFirst(atTime(now, runScheduler(firing)), over), settled))
  const runs = await runsOf(projectId, id)
  return {
    runs: runs.map(([state, reason, at]) => [state, reason, (Number(at) - next) / hour]),
    pipelines: (await pipelinesOf(projectId, id)).length,
    next: ((await nextOf(projectId, id)) - next) / hour
  }
}

describe("a scheduler that dies loses no run and doubles none, whether behind no append of it or behind any", () => {
  it.each([0, 1, 2, 3, 4])("run_latest, %i", async (appends) => {
    expect(await afterCrash("run_latest", appends)).toEqual({
      runs: [
        ["skipped", "superseded", 0],
        ["skipped", "superseded", 1],
        ["fired", "normal", 2]
      ],
      pipelines: 1,
      next: 3
    })
  })

  it.each([0, 1, 2, 3, 4, 5, 6])("run_all, %i", async (appends) => {
    expect(await afterCrash("run_all", appends)).toEqual({
      runs: [0, 1, 2].map((index) => ["fired", "normal", index]),
      pipelines: 3,
      next: 3
    })
  })
})

it("a slot that ran already by another clock is passed, and the next run told anew", async () => {
  const { id, next, projectId } = await scheduled("clocks")
  await fireAt(next)
  // By a clock that is behind, the same slot is ahead still.
  await service.run(Effect.andThen(planAgain(id, next - hour / 2), settled))
  expect(await nextOf(projectId, id)).toBe(next)
  await fireAt(next + 1)
  expect(await nextOf(projectId, id)).toBe(next + hour)
  expect(await runsOf(projectId, id)).toEqual([["fired", "normal", next, true]])
})

it("a slot whose pipeline was deleted at once is over, and makes no other one", async () => {
  const { id, next, projectId } = await scheduled("deleted")
  const firing = { policy: "run_latest", serverUrl: service.url } as const
  // The slot is started, and pipeline and jobs are there.
  await service.run(Effect.andThen(atTime(next, dyingAfter(2, fireDue(firing))), settled))
  const [pipeline] = await pipelinesOf(projectId, id)
  expect((await service.request("DELETE", `/projects/${projectId}/pipelines/${field(pipeline, "id")}`)).status).toBe(204)
  const finished = Effect.promise(() => until(async () => (await runsOf(projectId, id))[0]?.[0] !== "started"))
  await service.run(Effect.andThen(Effect.raceFirst(atTime(next, runScheduler(firing)), finished), settled))
  expect(await runsOf(projectId, id)).toEqual([["fired", "normal", next, false]])
})
