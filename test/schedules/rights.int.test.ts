import { describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { rootToken } from "#test/support/service.ts"
import { complete, idOf, useSchedules } from "./useSchedules.ts"

// The matrix tells who may do what; here is what settings of the project do to it.

const { add, member, newProject, pathOf, person, service } = useSchedules()

const topic = { ref: "refs/heads/topic" }

/** What a caller is told by each endpoint of a schedule with the variable `KEY`, and by those of all schedules; what is taken away comes last. */
const toldOf = async (project: number, id: number, token: string) => {
  const send = async (method: string, end: string, json?: object) =>
    (await service.request(method, `${pathOf(project)}${end}`, { token, ...(json && { json }) })).status
  const one = `/${id}`
  return {
    list: await send("GET", ""),
    create: await send("POST", "", { ...complete, ...topic }),
    read: await send("GET", one),
    pipelines: await send("GET", `${one}/pipelines`),
    runs: await send("GET", `${one}/runs`),
    preview: await send("GET", `${one}/preview`),
    change: await send("PUT", one, {}),
    play: await send("POST", `${one}/play`),
    readVariable: await send("GET", `${one}/variables/KEY`),
    addVariable: await send("POST", `${one}/variables`, { key: `OTHER_${Math.random()}`.replace(".", ""), value: "v" }),
    changeVariable: await send("PUT", `${one}/variables/KEY`, { value: "v" }),
    removeVariable: await send("DELETE", `${one}/variables/KEY`),
    takeOwnership: await send("POST", `${one}/take_ownership`),
    delete: await send("DELETE", one)
  }
}

const reads = (list: number, read: number) => ({ list, read, pipelines: read, runs: read, preview: read })
const writes = (status: number, create = status) => ({
  create,
  change: status,
  play: status,
  readVariable: status,
  addVariable: status,
  changeVariable: status,
  removeVariable: status,
  takeOwnership: status,
  delete: status
})

/** A public project with a Guest, and a Developer who has a schedule with a variable. */
const prepared = async (name: string) => {
  const project = await newProject(name, { visibility: "public" })
  const owner = await member(project, "developer", `${name}-developer`)
  const guest = await member(project, "guest", `${name}-guest`)
  const outsider = await person(`${name}-outsider`)
  const id = idOf(await add(project, topic, { token: owner.token }))
  const path = `${pathOf(project, id)}/variables`
  await service.request("POST", path, { json: { key: "KEY", value: "v" }, token: owner.token })
  const set = (json: object) => service.request("PUT", `/projects/${project}`, { json })
  return { project, id, owner, guest, outsider, set }
}

it("an archived project is only read, by administrators too, and shows variables to whom it did before", async () => {
  const { id, owner, project } = await prepared("archived")
  const maintainer = await member(project, "maintainer", "archived-maintainer")
  const developer = await member(project, "developer", "archived-other")
  await service.request("POST", `/projects/${project}/archive`)
  const shown = async (token: string) => field((await service.request("GET", pathOf(project, id), { token })).body, "variables")
  for (const token of [owner.token, maintainer.token, rootToken]) {
    expect(await toldOf(project, id, token)).toEqual({ ...reads(200, 200), ...writes(403), readVariable: 200 })
    expect(await shown(token)).toMatchObject([{ key: "KEY", value: "v" }])
  }
  expect(await toldOf(project, id, developer.token)).toEqual({ ...reads(200, 200), ...writes(403) })
  expect(await shown(developer.token)).toBeUndefined()
})

it("where pipelines are not public, only Reporters and above see schedules", async () => {
  const { guest, id, outsider, project, set } = await prepared("hidden")
  await set({ public_jobs: false })
  // Who may give no variables is told so before the schedule is looked for.
  const variables = { addVariable: 403, changeVariable: 403, removeVariable: 403 }
  const expected = { ...reads(403, 404), ...writes(404, 403), ...variables }
  for (const { token } of [guest, outsider]) expect(await toldOf(project, id, token)).toEqual(expected)
  const reporter = await member(project, "reporter", "hidden-reporter")
  expect(await toldOf(project, id, reporter.token)).toEqual({ ...reads(200, 200), ...writes(403) })
})

it("where CI is switched off there are no schedules, for administrators neither", async () => {
  const { id, owner, project, set } = await prepared("switched-off")
  await set({ builds_access_level: "disabled" })
  const expected = { ...reads(403, 404), ...writes(404, 403) }
  for (const token of [owner.token, rootToken]) expect(await toldOf(project, id, token)).toEqual(expected)
})

it("where CI is for members, others see no schedules", async () => {
  const { guest, id, outsider, project, set } = await prepared("for-members")
  await set({ builds_access_level: "private" })
  const variables = { addVariable: 403, changeVariable: 403, removeVariable: 403 }
  expect(await toldOf(project, id, outsider.token)).toEqual({ ...reads(403, 404), ...writes(404, 403), ...variables })
  expect(await toldOf(project, id, guest.token)).toEqual({ ...reads(200, 200), ...writes(403) })
})

describe("an owner", () => {
  it("who is no Developer any more may only read", async () => {
    const { id, owner, project } = await prepared("demoted")
    await service.request("PUT", `/projects/${project}/members/${owner.id}`, { json: { access_level: 20 } })
    expect(await toldOf(project, id, owner.token)).toEqual({ ...reads(200, 200), ...writes(403) })
  })

  it("who left a private project does not find it", async () => {
    const { id, owner, project, set } = await prepared("left")
    await set({ visibility: "private" })
    await service.request("DELETE", `/projects/${project}/members/${owner.id}`)
    expect(await toldOf(project, id, owner.token)).toEqual({ ...reads(404, 404), ...writes(404) })
  })

  it("may do everything", async () => {
    const { id, owner, project } = await prepared("owning")
    expect(await toldOf(project, id, owner.token)).toEqual({
      ...reads(200, 200),
      create: 201,
      change: 200,
      play: 201,
      readVariable: 200,
      addVariable: 201,
      changeVariable: 200,
      removeVariable: 202,
      takeOwnership: 200,
      delete: 200
    })
  })
})

describe("who may give pipelines variables", () => {
  const rows: ReadonlyArray<readonly [role: string, developer: boolean, maintainer: boolean, owner: boolean, root: boolean]> = [
    ["developer", true, true, true, true],
    ["maintainer", false, true, true, true],
    ["owner", false, false, true, true],
    ["no_one_allowed", false, false, false, false]
  ]

  it.each(rows)("%s, of those who own a schedule", async (role, ...expected) => {
    const name = `giving-${role.replaceAll("_", "-")}`
    const project = await newProject(name)
    const people = [
      (await member(project, "developer", `${name}-developer`)).token,
      (await member(project, "maintainer", `${name}-maintainer`)).token,
      (await member(project, "owner", `${name}-owner`)).token,
      rootToken
    ]
    const prepare = async (token: string) => {
      const path = pathOf(project, idOf(await add(project, topic, { token })))
      await service.request("POST", `${path}/variables`, { json: { key: "KEY", value: "v" }, token })
      return { path, token }
    }
    const prepares = await Promise.all(people.map(prepare))
    const json = { restrict_user_defined_variables: true, ci_pipeline_variables_minimum_override_role: role }
    await service.request("PUT", `/projects/${project}`, { json })
    const answers = await Promise.all(
      prepares.map(async ({ path, token }) => {
        const send = async (method: string, end: string, sent: object) =>
          (await service.request(method, `${path}${end}`, { token, json: sent })).status
        return [
          await send("POST", "/variables", { key: "OTHER", value: "v" }),
          await send("PUT", "/variables/KEY", { value: "w" }),
          await send("DELETE", "/variables/KEY", {}),
          // The schedule itself is another matter.
          await send("PUT", "", { description: "Changed" })
        ]
      })
    )
    expect(answers).toEqual(expected.map((isAllowed) => [...(isAllowed ? [201, 200, 202] : [403, 403, 403]), 200]))
  })
})
