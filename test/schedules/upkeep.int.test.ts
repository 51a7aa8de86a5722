import { Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { handle } from "#src/platform/Commands.ts"
import { nextId } from "#src/platform/Ids.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { scheduleAggregate } from "#src/schedules/aggregate.ts"
import { keepUpSchedules } from "#src/schedules/upkeep/keepUp.ts"
import { userAggregate } from "#src/users/aggregate.ts"
import { field } from "#test/support/exactly.ts"
import { holdSchedules } from "#test/support/people/holdUsers.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { until } from "#test/support/until.ts"
import { create } from "./samples.ts"
import { idOf, useSchedules } from "./useSchedules.ts"

const { add, get, member, newProject, pathOf, put, service } = useSchedules()

const rowsOf = (text: string) =>
  service.run(Sql.use(({ client }) => query(() => client.unsafe<Array<Readonly<Record<string, unknown>>>>(text))))

const reachesHead = async () => {
  const [row] = await rowsOf(`
    select (select max(position) from chronoforge.events where type in ('ScheduleDeleted', 'ProjectDeleted', 'UserBlocked', 'UserBanned', 'UserDeactivated', 'UserDeleted'))
      <= (select position from chronoforge.reactions where name = 'schedules') as reached`)
  return row?.reached === true
}

/** Keeps schedules up until all that has happened is answered. */
const keptUp = () =>
  service.run(
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(keepUpSchedules)
      yield* Effect.promise(() => until(reachesHead))
      yield* Fiber.interrupt(fiber)
      yield* settled
    })
  )

const typesOf = async (id: number) =>
  (await rowsOf(`select type from chronoforge.events where stream = 'schedule-${id}' order by revision`)).map(({ type }) => type)

const begin = () =>
  service.run(
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(keepUpSchedules)
      const isThere = async () => (await rowsOf("select 1 from chronoforge.reactions where name = 'schedules'")).length > 0
      yield* Effect.promise(() => until(isThere))
      yield* Fiber.interrupt(fiber)
    })
  )

const moderate = (method: string, end: string) => async (id: number) => {
  expect((await service.request(method, `/users/${id}${end}`)).status).toBeLessThan(300)
}
/** Who was not active for long enough. */
const deactivate = async (id: number) => {
  const at = Date.now() + 100 * 24 * 3_600_000
  await service.run(handle(userAggregate, id, { _tag: "Deactivate", at }))
}

const deeds: ReadonlyArray<readonly [name: string, deed: (id: number) => Promise<void>, reason: string]> = [
  ["blocked", moderate("POST", "/block"), "owner_blocked"],
  ["banned", moderate("POST", "/ban"), "owner_banned"],
  ["deactivated", deactivate, "owner_deactivated"],
  ["deleted", moderate("DELETE", ""), "owner_deleted"],
  ["deleted-with-all", moderate("DELETE", "?hard_delete=true"), "owner_deleted"]
]

describe("schedules of an owner who is", () => {
  it.each(deeds)("%s run no more, also when nobody looked meanwhile", async (name, deed, reason) => {
    await begin()
    const project = await newProject(name)
    const [owner, other] = [
      await member(project, "developer", `${name}-owner`),
      await member(project, "developer", `${name}-other`)
    ]
    const ref = "refs/heads/topic"
    const ids = [
      idOf(await add(project, { ref }, { token: owner.token })),
      idOf(await add(project, { ref, active: false }, { token: owner.token })),
      idOf(await add(project, { ref }, { token: other.token }))
    ]
    await deed(owner.id)
    await keptUp()
    const shown = await Promise.all(ids.map(async (id) => (await get(project, id)).body))
    expect(shown.map((body) => field(body, "active"))).toEqual([false, false, true])
    expect(shown.map((body) => field(field(body, "owner"), "id"))).toEqual(
      reason === "owner_deleted" ? [undefined, undefined, other.id] : [owner.id, owner.id, other.id]
    )
    expect(await Promise.all(ids.map(typesOf))).toEqual([
      ["ScheduleCreated", "ScheduleDeactivated"],
      ["ScheduleCreated"],
      ["ScheduleCreated"]
    ])
    const [told] = await rowsOf(`select data from chronoforge.events where stream = 'schedule-${ids[0]}' and revision = 1`)
    expect(JSON.stringify(told)).toContain(reason)
    const again = await put(project, ids[0], { active: true })
    expect(field(again.body, "active")).toBe(true)
    await keptUp()
    expect(field((await get(project, ids[0])).body, "active")).toBe(true)
  })
})

it("schedules of an owner who is let in again by the time go on", async () => {
  await begin()
  const project = await newProject("let-in")
  const owner = await member(project, "developer", "let-in-owner")
  const id = idOf(await add(project, { ref: "refs/heads/topic" }, { token: owner.token }))
  await moderate("POST", "/block")(owner.id)
  await moderate("POST", "/unblock")(owner.id)
  await keptUp()
  expect(await typesOf(id)).toEqual(["ScheduleCreated"])
  await moderate("POST", "/block")(owner.id)
  await keptUp()
  expect(await typesOf(id)).toEqual(["ScheduleCreated", "ScheduleDeactivated"])
})

describe("schedules of a deleted project", () => {
  it("are deleted, with what opens their variables", async () => {
    await begin()
    const project = await newProject("deleted-project")
    const ids = [idOf(await add(project)), idOf(await add(project, { active: false }))]
    for (const id of ids) {
      await service.request("POST", `${pathOf(project, id)}/variables`, { json: { key: "KEY", value: "v" } })
    }
    const keys = () => rowsOf("select stream from chronoforge.data_keys where stream like 'schedule-%'")
    expect(await keys()).toHaveLength(2)
    await service.request("DELETE", `/projects/${project}`)
    await keptUp()
    // The deletions of schedules are reacted to as well.
    await keptUp()
    expect([await keys(), await rowsOf(`select id from rm_schedules.schedules where id in (${ids})`)]).toEqual([[], []])
    const types = ["ScheduleCreated", "VariableAdded", "ScheduleDeleted"]
    expect(await Promise.all(ids.map(typesOf))).toEqual([types, types])
  })
})

it("a key that a process left which died amid a deletion is deleted", async () => {
  await begin()
  const project = await newProject("left-key")
  const id = idOf(await add(project))
  await service.request("POST", `${pathOf(project, id)}/variables`, { json: { key: "KEY", value: "v" } })
  const stream = `schedule-${id}`
  await service.request("DELETE", pathOf(project, id))
  await rowsOf(`insert into chronoforge.data_keys (stream, wrapped) values ('${stream}', 'left')`)
  await keptUp()
  expect(await rowsOf(`select stream from chronoforge.data_keys where stream = '${stream}'`)).toEqual([])
})

it("a schedule that read models do not show yet is deactivated with the others", async () => {
  await begin()
  const project = await newProject("unseen")
  const owner = await member(project, "developer", "unseen-owner")
  const other = idOf(await add(project))
  const stream = `schedule-${other}`
  await rowsOf(`insert into chronoforge.data_keys (stream, wrapped) values ('${stream}', 'other')`)
  const release = await holdSchedules(service)
  const id = await service.run(
    Effect.gen(function* () {
      const made = yield* nextId("pipeline_schedule")
      yield* handle(scheduleAggregate, made, { ...create, projectId: project, ownerId: owner.id })
      yield* handle(userAggregate, owner.id, { _tag: "Block" })
      yield* handle(scheduleAggregate, other, { _tag: "Delete" })
      return made
    })
  )
  const keeping = keptUp()
  // What waits for nothing is done by then, and so would be what does not wait.
  await until(async () => (await rowsOf(`select 1 from chronoforge.data_keys where stream = '${stream}'`)).length === 0)
  await release()
  await keeping
  expect(await typesOf(id)).toEqual(["ScheduleCreated", "ScheduleDeactivated"])
})
