import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { makeClient } from "#src/platform/sql/client.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import { answerOf } from "#test/support/service.ts"
import { idOf, useSchedules } from "./useSchedules.ts"

describe("a project", () => {
  const { add, get, newProject, put, remove, service } = useSchedules({ SCHEDULES_PER_PROJECT: "3" })
  const base = ["Maximum number of ci pipeline schedules (3) exceeded"]
  const full = [400, { message: { base } }]

  it("has so many schedules and no more, inactive ones too, until one is deleted", async () => {
    const project = await newProject("full")
    const ids = []
    for (const active of [true, false, true]) ids.push(idOf(await add(project, { active })))
    expect(answerOf(await add(project))).toEqual(full)
    expect(answerOf(await add(project, { cron: "x" }))).toEqual([400, { message: { base, cron: ["syntax is invalid"] } }])
    expect((await put(project, ids[0], { description: "Changed" })).status).toBe(200)
    await remove(project, ids[0])
    expect((await add(project)).status).toBe(201)
    expect(answerOf(await add(project))).toEqual(full)
    expect((await add(await newProject("another"))).status).toBe(201)
  })

  it("has no more when many are made at once", async () => {
    const project = await newProject("at-once")
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(project)))
    const refused = answers.filter(({ status }) => status !== 201).map(answerOf)
    expect(refused).toEqual(Array(17).fill(full))
    expect((await get(project)).headers.get("x-total")).toBe("3")
  })

  it("keeps no other one waiting while one of it is made", async () => {
    const [held, free] = [await newProject("held"), await newProject("free")]
    const url = await service.run(Sql.use((database) => Effect.succeed(database.url)))
    const holder = makeClient(url, { connections: 1, name: "holder" })
    await holder`select pg_advisory_lock(hashtextextended(${`chronoforge.schedules.${held}`}, 0))`
    let hasEnded = false
    const waiting = add(held).finally(() => {
      hasEnded = true
    })
    expect((await add(free)).status).toBe(201)
    expect(hasEnded).toBe(false)
    await holder.end()
    expect((await waiting).status).toBe(201)
  })
})

describe("where nothing else is said", () => {
  const { add, newProject } = useSchedules({})

  it("a project has ten", async () => {
    const project = await newProject("ten")
    const answers = await Promise.all(Array.from({ length: 11 }, () => add(project)))
    const refused = answers.filter(({ status }) => status !== 201).map(answerOf)
    expect(refused).toEqual([[400, { message: { base: ["Maximum number of ci pipeline schedules (10) exceeded"] } }]])
  })
})
