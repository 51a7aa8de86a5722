import { expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { answerOf } from "#test/support/service.ts"
import { idOf, noSchedule, useSchedules } from "./useSchedules.ts"

const { add, get, newProject, pathOf, put, remove, service } = useSchedules()

it("changes that come at once all take effect", async () => {
  const project = await newProject("changing")
  const id = idOf(await add(project))
  const changes: ReadonlyArray<object> = [
    { description: "Changed" },
    { ref: "refs/heads/other" },
    { cron: "0 0 1 1 *" },
    { cron_timezone: "Asia/Tokyo" },
    { active: false }
  ]
  const answers = await Promise.all(changes.map((json) => put(project, id, json)))
  expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200))
  const { body } = await get(project, id)
  expect(Object(body)).toMatchObject(Object.assign({}, ...changes))
  // New Year of Tokyo, whichever of cron and zone came last.
  expect(field(body, "next_run_at")).toMatch(/^\d{4}-12-31T15:00:00.000Z$/)
})

it("the last of many owners is one of those who took it, and each is told what they did", async () => {
  const project = await newProject("owning")
  const id = idOf(await add(project))
  const take = () => service.request("POST", `${pathOf(project, id)}/take_ownership`)
  const answers = await Promise.all([take(), take(), take()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
})

it("what is deleted while others change it is gone", async () => {
  const project = await newProject("deleting")
  const id = idOf(await add(project))
  const variable = { json: { key: "KEY", value: "v" } }
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, (_, index) => put(project, id, { description: `${index}` })),
    remove(project, id),
    ...Array.from({ length: 4 }, () => service.request("POST", `${pathOf(project, id)}/variables`, variable)),
    remove(project, id)
  ])
  const refused = answers.filter(({ status }) => status >= 400 && status !== 400).map(answerOf)
  expect(refused).toEqual(refused.map(() => noSchedule))
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  expect(answerOf(await get(project, id))).toEqual(noSchedule)
})
