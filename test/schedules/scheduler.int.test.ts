import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { pipelineStream } from "#src/pipelines/ids.ts"
import { handle } from "#src/platform/Commands.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { nextId } from "#src/platform/Ids.ts"
import { scheduleAggregate } from "#src/schedules/aggregate.ts"
import { makeAuthorities } from "#src/schedules/scheduler/authorities.ts"
import { make, runScheduler, startRound, untilNext } from "#src/schedules/scheduler/runScheduler.ts"
import { startDue } from "#src/schedules/scheduler/startDue.ts"
import { slotAggregate } from "#src/schedules/slots/aggregate.ts"
import { slotStream } from "#src/schedules/slots/ids.ts"
import { field } from "#test/support/exactly.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { until } from "#test/support/until.ts"
import { atTime, useScheduler } from "./useScheduler.ts"

const { fireAt, get, member, pathOf, pipelinesOf, put, runsOf, scheduled, service } = useScheduler()
const hour = 3_600_000
const nextOf = async (projectId: number, id: number) => Date.parse(String(field((await get(projectId, id)).body, "next_run_at")))

describe("a schedule that is due", () => {
  it("makes a pipeline as its owner, with its variables, and not before", async () => {
    const { id, next, projectId } = await scheduled("due")
    await service.request("POST", `${pathOf(projectId, id)}/variables`, { json: { key: "WORD", value: "of the night" } })
    await fireAt(next - 1)
    expect(await runsOf(projectId, id)).toEqual([])
    await fireAt(next)
    expect(await runsOf(projectId, id)).toEqual([["fired", "normal", next, true]])
    expect(await nextOf(projectId, id)).toBe(next + hour)
    const [pipeline] = await pipelinesOf(projectId, id)
    expect(pipeline).toMatchObject({ source: "scheduled", ref: "main", status: "pending" })
    const path = `/projects/${projectId}/pipelines/${field(pipeline, "id")}`
    expect((await service.request("GET", path)).body).toMatchObject({ source: "schedule", user: { username: "root" } })
    expect((await service.request("GET", `${path}/variables`)).body).toEqual([
      { variable_type: "env_var", key: "WORD", value: "of the night", raw: false }
    ])
    expect((await get(projectId, id)).body).toMatchObject({ last_pipeline: { id: field(pipeline, "id") } })
  })

  it("keeps what ran where a clock that was set back, and another cron, find it due again", async () => {
    const { id, next, projectId } = await scheduled("set-back")
    await fireAt(next)
    await fireAt(next + hour)
    const change = { _tag: "Change", changes: { cron: "*/30 * * * *" }, planned: next + 2 * hour, now: next - hour } as const
    await service.run(Effect.andThen(handle(scheduleAggregate, id, { ...change, minInterval: 1 }), settled))
    await fireAt(next + hour + hour / 2)
    expect(await runsOf(projectId, id)).toEqual([
      ["skipped", "superseded", next - hour / 2, false],
      ["fired", "normal", next, true],
      ["skipped", "superseded", next + hour / 2, false],
      ["fired", "normal", next + hour, true],
      ["fired", "normal", next + hour + hour / 2, true]
    ])
  })

  it("runs next when it would, where all that a clock that was set back finds due has run", async () => {
    const { id, next, projectId } = await scheduled("all-run")
    await fireAt(next)
    await fireAt(next + hour)
    const change = { _tag: "Change", changes: { cron: "0 */1 * * *" }, planned: next + 2 * hour, now: next - hour / 2 } as const
    await service.run(Effect.andThen(handle(scheduleAggregate, id, { ...change, minInterval: 1 }), settled))
    expect(await nextOf(projectId, id)).toBe(next)
    await fireAt(next + hour + hour / 2, "skip")
    expect([await nextOf(projectId, id), await runsOf(projectId, id)]).toEqual([
      next + 2 * hour,
      [
        ["fired", "normal", next, true],
        ["fired", "normal", next + hour, true]
      ]
    ])
  })

  it("is not slept over where its time comes while somebody looks", async () => {
    const { next } = await scheduled("just-now", { cron: "0 0 29 2 *" })
    const asleep = (lookedAt: number, now: number) => service.run(atTime(now, untilNext(lookedAt)))
    expect([await asleep(next - 1, next), await asleep(next - 5, next - 3), await asleep(next, next)]).toEqual([0, 3, 1_000])
  })

  it("runs once, whoever finds it, and whatever clocks say", async () => {
    const { id, next, projectId } = await scheduled("once")
    await Promise.all([fireAt(next), fireAt(next + 5), fireAt(next + 7)])
    await fireAt(next - hour)
    await fireAt(next + 100)
    expect(await runsOf(projectId, id)).toEqual([["fired", "normal", next, true]])
    expect(await pipelinesOf(projectId, id)).toHaveLength(1)
  })

  it("tells the rule, the time of the next run and the pipeline in the log", async () => {
    const { id, next, projectId } = await scheduled("told")
    await fireAt(next)
    const events = await service.run(EventStore.use((store) => store.read(slotStream({ scheduleId: id, at: next }))))
    const [pipeline] = await pipelinesOf(projectId, id)
    expect(events.map(({ data, metadata, type }) => [type, metadata.actor, data])).toEqual([
      [
        "SlotStarted",
        "system:scheduler",
        {
          scheduleId: id,
          at: next,
          rule: "normal",
          pipelineId: field(pipeline, "id"),
          nextRun: { at: next + hour, reason: "normal" },
          scheduleRevision: 0
        }
      ]
    ])
    const [created] = await service.run(EventStore.use((store) => store.read(pipelineStream(Number(field(pipeline, "id"))))))
    expect(created?.data).toMatchObject({ scheduleId: id, scheduledFor: next })
  })
})

describe("slots that nobody started in time", () => {
  const late = (next: number) => next + 3 * hour + 600_000

  it.each([
    ["run_latest", ["superseded", "superseded", "superseded", "normal"], 1],
    ["skip", ["missed", "missed", "missed", "missed"], 0],
    ["run_all", ["normal", "normal", "normal", "normal"], 4]
  ] as const)("%s", async (policy, reasons, pipelines) => {
    const { id, next, projectId } = await scheduled(`late-${policy}`)
    await fireAt(late(next), policy)
    const runs = await runsOf(projectId, id)
    expect(runs.map(([, reason]) => reason)).toEqual(reasons)
    expect(runs.map(([, , at]) => at)).toEqual([0, 1, 2, 3].map((index) => next + index * hour))
    expect(await pipelinesOf(projectId, id)).toHaveLength(pipelines)
    expect(await nextOf(projectId, id)).toBe(next + 4 * hour)
  })

  it("are started by skip too where they are not a minute late", async () => {
    const { id, next, projectId } = await scheduled("barely")
    await fireAt(next + 59_000, "skip")
    expect(await runsOf(projectId, id)).toEqual([["fired", "normal", next, true]])
  })

  it("are named up to five hundred, however many there are", async () => {
    const { id, next, projectId } = await scheduled("years", { cron: "* * * * *" })
    await fireAt(next + 365 * 24 * hour)
    const { headers } = await service.request("GET", `${pathOf(projectId, id)}/runs`)
    expect(headers.get("x-total")).toBe("501")
    expect(await pipelinesOf(projectId, id)).toHaveLength(1)
  })
})

describe("a schedule", () => {
  it("that was switched off does not run, nor one that was deleted", async () => {
    const { id, next, projectId } = await scheduled("off")
    const gone = await scheduled("gone")
    await put(projectId, id, { active: false })
    await service.request("DELETE", pathOf(gone.projectId, gone.id))
    await fireAt(next + hour)
    expect(await runsOf(projectId, id)).toEqual([])
    const { body } = await service.request("GET", `/projects/${gone.projectId}/pipelines`)
    expect(body).toEqual([])
  })

  it("runs at its new times, when it was changed after somebody found it due", async () => {
    const { id, next, projectId } = await scheduled("moved")
    await put(projectId, id, { cron: "30 * * * *" })
    await fireAt(next)
    const half = await nextOf(projectId, id)
    expect(half % hour).toBe(hour / 2)
    await fireAt(half)
    expect((await runsOf(projectId, id)).at(-1)).toEqual(["fired", "normal", half, true])
  })

  it("that is changed while a slot starts tells its next run anew, whichever comes first into the log", async () => {
    const { id, next, projectId } = await scheduled("overtaken", { cron: "0 0 1 1 *" })
    await put(projectId, id, { cron: "* * * * *" })
    const minute = await nextOf(projectId, id)
    const slot = { scheduleId: id, at: next, rule: "normal", pipelineId: await service.run(nextId("pipeline")) } as const
    // Of the settings before the change.
    const plan = { nextRun: { at: next + 365 * 24 * hour, reason: "normal" }, scheduleRevision: 0 } as const
    const start = handle(slotAggregate, { scheduleId: id, at: next }, { _tag: "Start", slot: { ...slot, ...plan } })
    await service.run(Effect.andThen(start, settled))
    expect(await nextOf(projectId, id)).toBe(plan.nextRun.at)
    await fireAt(minute - 30_000)
    expect(await nextOf(projectId, id)).toBe(minute)
    await fireAt(minute)
    expect((await runsOf(projectId, id))[0]).toEqual(["fired", "normal", minute, true])
  })

  it("whose leader stood still while another one passed its slots starts none of them", async () => {
    const { id, next, projectId } = await scheduled("woken")
    // Another process has found a slot more due, and has started that.
    const told = { nextRun: { at: next + 3 * hour, reason: "normal" }, scheduleRevision: 0 } as const
    const slots = [next, next + hour, next + 2 * hour]
    const skipped = { scheduleId: id, slots, isCutShort: false, reason: "superseded", ...told } as const
    await service.run(handle(slotAggregate, { scheduleId: id, at: next }, { _tag: "Skip", skipped }))
    // What this one found due before it stood still.
    const row = { id, revision: 0, is_stale: false, next_run_at: next, updated_at: 0, project_id: projectId, owner_id: 1 }
    const due = Effect.gen(function* () {
      const round = { policy: "run_latest", authorityOf: yield* makeAuthorities, takePipelineId: nextId("pipeline") } as const
      return yield* startDue({ ...row, cron: "0 * * * *", cron_timezone: "UTC" }, round)
    })
    const begun = await service.run(Effect.tap(atTime(next + 2 * hour, due), settled))
    expect(begun?.slots).toEqual([])
    expect(await nextOf(projectId, id)).toBe(next + 3 * hour)
    expect(await runsOf(projectId, id)).toEqual(slots.map((at) => ["skipped", "superseded", at, false]))
  })

  it("that was deleted behind the start of its slot makes no pipeline, nor one whose owner was blocked", async () => {
    const makeAfter = async (name: string, deed: (projectId: number, id: number, owner: number) => Promise<unknown>) => {
      const { id, next, projectId } = await scheduled(name)
      const owner = await member(projectId, "maintainer", `owner-of-${name}`)
      await service.request("POST", `${pathOf(projectId, id)}/take_ownership`, { token: owner.token })
      const firing = { policy: "run_latest", serverUrl: service.url } as const
      const { begun } = await service.run(atTime(next, startRound(firing, new Map())))
      await deed(projectId, id, owner.id)
      const own = begun.filter(({ scheduleId }) => scheduleId === id)
      await service.run(
        Effect.andThen(
          Effect.forEach(own, (each) => make(each, firing)),
          settled
        )
      )
      const { body } = await service.request("GET", `/projects/${projectId}/pipelines`)
      return [own.length, body]
    }
    expect(await makeAfter("swept", (projectId, id) => service.request("DELETE", pathOf(projectId, id)))).toEqual([1, []])
    expect(await makeAfter("ousted", (_, __, owner) => service.request("POST", `/users/${owner}/block`))).toEqual([1, []])
  })

  it("of an archived project passes its slots", async () => {
    const { id, next, projectId } = await scheduled("archived")
    await service.request("POST", `/projects/${projectId}/archive`)
    await fireAt(next)
    await service.request("POST", `/projects/${projectId}/unarchive`)
    expect(await runsOf(projectId, id)).toEqual([["skipped", "archived", next, false]])
    expect(await nextOf(projectId, id)).toBe(next + hour)
  })

  it("whose owner may run pipelines no more says so, and goes on", async () => {
    const { id, next, projectId } = await scheduled("fired-owner")
    const dev = await member(projectId, "developer", "leaver")
    await service.request("PUT", `/projects/${projectId}/members/${dev.id}`, { json: { access_level: 40 } })
    await service.request("POST", `${pathOf(projectId, id)}/take_ownership`, { token: dev.token })
    await service.request("DELETE", `/projects/${projectId}/members/${dev.id}`)
    await fireAt(next)
    expect(await runsOf(projectId, id)).toEqual([["failed", "normal", next, false]])
    const { body } = await service.request("GET", `${pathOf(projectId, id)}/runs`)
    expect(body).toMatchObject([{ message: "The owner of the schedule may not run pipelines on refs/heads/main" }])
  })

  it("whose variables are too large together fails", async () => {
    const { id, next, projectId } = await scheduled("heavy")
    for (const key of ["A", "B"]) {
      await service.request("POST", `${pathOf(projectId, id)}/variables`, { json: { key, value: "v".repeat(524_288) } })
    }
    await fireAt(next)
    const { body } = await service.request("GET", `${pathOf(projectId, id)}/runs`)
    const message = "The variables of the pipeline are too large together (maximum is 1048576 characters)"
    expect(body).toMatchObject([{ state: "failed", message, pipeline: null }])
  })

  it("without configuration fails, and one with a wrong one makes a failed pipeline", async () => {
    const none = await scheduled("no-configuration", { ref: "refs/heads/none" })
    const wrong = await scheduled("wrong-configuration", {}, { ".gitlab-ci.yml": "a:\n  stage: nowhere\n  script: make\n" })
    await fireAt(Math.max(none.next, wrong.next))
    const { body } = await service.request("GET", `${pathOf(none.projectId, none.id)}/runs`)
    expect(body).toMatchObject([{ state: "failed", message: "Reference not found", pipeline: null }])
    expect(await pipelinesOf(wrong.projectId, wrong.id)).toMatchObject([{ status: "failed" }])
  })
})

it("a slot that a scheduler started before it died is finished by the next one, once", async () => {
  const { id, next, projectId } = await scheduled("died")
  const started = Effect.gen(function* () {
    const pipelineId = yield* nextId("pipeline")
    const slot = { scheduleId: id, at: next, rule: "normal", pipelineId, nextRun: { at: next + hour, reason: "normal" } } as const
    yield* handle(slotAggregate, { scheduleId: id, at: next }, { _tag: "Start", slot })
    yield* settled
    return pipelineId
  })
  const pipelineId = await service.run(started)
  const firing = { policy: "run_latest", serverUrl: service.url } as const
  const finished = Effect.promise(() => until(async () => (await runsOf(projectId, id))[0]?.[0] === "fired"))
  await service.run(Effect.raceFirst(runScheduler(firing), finished))
  await service.run(Effect.raceFirst(runScheduler(firing), Effect.andThen(settled, finished)))
  expect((await pipelinesOf(projectId, id)).map((pipeline) => field(pipeline, "id"))).toEqual([pipelineId])
})
