import { beforeAll, describe, expect, it } from "vitest"
import { answerOf } from "#test/support/service.ts"
import { noLabel, useLabels } from "./useLabels.ts"

const { service, add, get, newPerson, newProject, put, remove } = useLabels()

const forbidden = [403, { message: "403 Forbidden" }]

let [place, guest, reporter] = ["", "", ""]
beforeAll(async () => {
  place = `projects/${await newProject({ visibility: "public" })}`
  ;[guest, reporter] = [await newPerson(place, "guest"), await newPerson(place, "reporter")]
  await add(place)
})

it("a Guest may create and change none, and is told which there are when deleting", async () => {
  expect(answerOf(await add(place, { name: "other" }, { token: guest }))).toEqual(forbidden)
  for (const name of ["bug", "nothing"]) {
    expect(answerOf(await put(place, name, { color: "#000" }, { token: guest }))).toEqual(forbidden)
  }
  expect(answerOf(await remove(place, "bug", { token: guest }))).toEqual(forbidden)
  expect(answerOf(await remove(place, "nothing", { token: guest }))).toEqual(noLabel)
})

it("parameters are judged before rights", async () => {
  const json = { name: "other" }
  expect(answerOf(await service.request("POST", `/${place}/labels`, { json, token: guest }))).toEqual([
    400,
    { error: "color is missing" }
  ])
})

describe("in a project without issues and merge requests", () => {
  beforeAll(async () => {
    const json = { issues_access_level: "disabled", merge_requests_access_level: "private" }
    await service.request("PUT", `/${place}`, { json })
  })

  it("outsiders see no labels", async () => {
    expect(answerOf(await get(place, undefined, { token: null }))).toEqual([200, []])
    expect(answerOf(await get(place, "bug", { token: null }))).toEqual(noLabel)
  })

  it("members still do", async () => {
    expect((await get(place, "bug", { token: guest })).status).toBe(200)
    expect((await put(place, "bug", { description: "d" }, { token: reporter })).status).toBe(200)
  })

  it("nobody does where both are switched off", async () => {
    await service.request("PUT", `/${place}`, { json: { merge_requests_access_level: "disabled" } })
    expect(answerOf(await get(place))).toEqual([200, []])
    expect(answerOf(await get(place, "bug"))).toEqual(noLabel)
    expect(answerOf(await add(place, { name: "other" }))).toEqual(forbidden)
    expect(answerOf(await put(place, "bug", { color: "#000" }))).toEqual(forbidden)
    expect(answerOf(await remove(place, "bug"))).toEqual(noLabel)
  })
})
