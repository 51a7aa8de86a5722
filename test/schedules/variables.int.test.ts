import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { expectExactly, field } from "#test/support/exactly.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import { answerOf, type Sent } from "#test/support/service.ts"
import { complete, idOf, useSchedules } from "./useSchedules.ts"

const { add, get, member, newProject, pathOf, remove, service } = useSchedules()

const invalid = (...key: ReadonlyArray<string>) => [400, { message: { key } }]
const characters = "can contain only letters, digits and '_'."
const noVariable = [404, { message: "404 Pipeline Schedule Variable Not Found" }]

/** A schedule of a new project, and how its variables are asked. */
const scheduled = async (name: string) => {
  const project = await newProject(name)
  const id = idOf(await add(project))
  const path = `${pathOf(project, id)}/variables`
  return {
    project,
    id,
    path,
    post: (json: object, sent: Sent = {}) => service.request("POST", path, { json, ...sent }),
    send: (method: string, key: string, json?: object) =>
      service.request(method, `${path}/${encodeURIComponent(key)}`, json && { json }),
    shown: async () => field((await get(project, id)).body, "variables")
  }
}

describe("a variable", () => {
  it("is added, shown, read, changed and removed, each with what it is", async () => {
    const { id, post, project, send, shown } = await scheduled("whole")
    const { body: before } = await get(project, id)
    const added = await post({ key: "KEY", value: "v" })
    const variable = { variable_type: "env_var", key: "KEY", value: "v", raw: false }
    expect(added.status).toBe(201)
    expectExactly(added.body, variable)
    expectExactly(await shown(), [variable])
    const read = await send("GET", "KEY")
    expect(read.status).toBe(200)
    expectExactly(read.body, variable)
    const changed = await send("PUT", "KEY", { value: "w", variable_type: "file" })
    expect(changed.status).toBe(200)
    expectExactly(changed.body, { ...variable, variable_type: "file", value: "w" })
    expectExactly((await send("PUT", "KEY", { value: "" })).body, { ...variable, variable_type: "file", value: "" })
    const removed = await send("DELETE", "KEY")
    expect(removed.status).toBe(202)
    expectExactly(removed.body, { ...variable, variable_type: "file", value: "" })
    expectExactly((await get(project, id)).body, before)
    for (const method of ["GET", "DELETE"]) expect(answerOf(await send(method, "KEY"))).toEqual(noVariable)
    expect(answerOf(await send("PUT", "KEY", { value: "v" }))).toEqual(noVariable)
  })

  it("may be sent in any form, and named with blanks around", async () => {
    const { path, post, shown } = await scheduled("forms")
    for (const [name, sent] of requestForms) {
      const fields = { key: name, value: "a b&c=d", variable_type: "file" }
      expect((await service.request("POST", path, sent(fields))).status).toBe(201)
    }
    await post({ key: " KEY\n", value: " v\n" })
    await post({ key: "key", value: 7 })
    const variables = await shown()
    const told = (Array.isArray(variables) ? variables : []).map((each) => [field(each, "key"), field(each, "value")])
    expect(told.slice(-2)).toEqual([
      ["KEY", " v\n"],
      ["key", "7"]
    ])
    expect(new Set(told.slice(0, -2).map(([, value]) => value))).toEqual(new Set(["a b&c=d"]))
  })

  it("has a key of its own", async () => {
    const { path, post, send } = await scheduled("keys")
    const tooLong = "is too long (maximum is 255 characters)"
    const rows: ReadonlyArray<readonly [string | null, ReadonlyArray<string>]> = [
      ["", ["can't be blank", characters]],
      [" \n", ["can't be blank", characters]],
      [null, ["can't be blank", characters]],
      ["a-b", [characters]],
      ["ä", [characters]],
      ["a b", [characters]],
      ["a".repeat(256), [tooLong]],
      ["a".repeat(10_000), [tooLong]],
      ["ä".repeat(256), [tooLong, characters]]
    ]
    for (const [key, texts] of rows) expect([key, answerOf(await post({ key, value: "v" }))]).toEqual([key, invalid(...texts)])
    expect((await post({ key: "a".repeat(255), value: "v" })).status).toBe(201)
    await post({ key: "KEY", value: "v" })
    expect(answerOf(await post({ key: "KEY", value: "w" }))).toEqual(invalid("has already been taken"))
    expect(field((await send("GET", "KEY")).body, "value")).toBe("v")
    for (const key of ["key", "KEY ", "%"]) expect(answerOf(await send("GET", key))).toEqual(noVariable)
    expect((await service.request("GET", `${path}/KEY`)).status).toBe(200)
  })

  it("is added once, however many try", async () => {
    const { post, shown } = await scheduled("at-once")
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => post({ key: "KEY", value: `${index}` })))
    const winner = answers.findIndex(({ status }) => status === 201)
    expect(answers.map(answerOf).toSpliced(winner, 1)).toEqual(Array(11).fill(invalid("has already been taken")))
    expectExactly(await shown(), [{ variable_type: "env_var", key: "KEY", value: `${winner}`, raw: false }])
  })

  it("is shown to Maintainers and the owner, by the single read alone", async () => {
    const { id, post, project } = await scheduled("seeing")
    const [developer, maintainer] = [
      await member(project, "developer", "seeing-developer"),
      await member(project, "maintainer", "seeing-maintainer")
    ]
    await post({ key: "KEY", value: "v" })
    const sees = async ({ token }: { readonly token: string }) => field((await get(project, id, { token })).body, "variables")
    const variables = [{ variable_type: "env_var", key: "KEY", value: "v", raw: false }]
    expect([await sees(developer), await sees(maintainer)]).toEqual([undefined, variables])
    const own = await add(project, { ref: "refs/heads/topic" }, { token: developer.token })
    expect(field((await get(project, idOf(own), { token: developer.token })).body, "variables")).toEqual([])
    const path = pathOf(project, id)
    const answers = [
      await get(project),
      await service.request("PUT", path, { json: {} }),
      await service.request("POST", `${path}/take_ownership`),
      await service.request("DELETE", path)
    ]
    const shownBy = answers.map(({ body }) => (Array.isArray(body) ? body : [body]).some((each) => "variables" in Object(each)))
    expect(shownBy).toEqual([false, false, false, false])
  })
})

describe("values", () => {
  const rowsOf = (text: string) =>
    service.run(
      Sql.use(({ client }) => query(() => client.unsafe<Array<object>>(text))).pipe(Effect.map((rows) => JSON.stringify(rows)))
    )
  const everything = async () =>
    `${await rowsOf("select * from chronoforge.events")}${await rowsOf("select * from rm_schedules.variables")}`
  const keys = () => rowsOf("select stream from chronoforge.data_keys order by stream")

  it("stand nowhere in clear, and go with their schedule", async () => {
    const { id, post, project, send } = await scheduled("sealed")
    const secrets = ["clear-as-day", "clearer-than-before"]
    await post({ key: "KEY", value: secrets[0] })
    await send("PUT", "KEY", { value: secrets[1] })
    expect(field((await send("GET", "KEY")).body, "value")).toBe(secrets[1])
    const stored = await everything()
    expect(secrets.filter((secret) => stored.includes(secret))).toEqual([])
    for (const other of [`schedule-${id}`, "Nightly build", "KEY"]) expect(stored).toContain(other)
    expect(service.log.filter((line) => JSON.stringify(line).includes("clear"))).toEqual([])
    expect(await keys()).toContain(`schedule-${id}`)
    await remove(project, id)
    expect(await keys()).not.toContain(`schedule-${id}`)
  })

  it("are not kept with the answers of requests that may be repeated", async () => {
    const { id, path } = await scheduled("repeatable")
    const secret = "clear-in-an-answer"
    const rows: ReadonlyArray<readonly [method: string, path: string, json: object]> = [
      ["POST", path, { key: "KEY", value: secret }],
      ["PUT", `${path}/KEY`, { value: `${secret}-too` }],
      ["DELETE", `${path}/KEY`, {}]
    ]
    const gone = "This request was carried out already, and its secret is shown only once"
    for (const [method, to, json] of rows) {
      const send = () => service.request(method, to, { json, headers: { "idempotency-key": method } })
      expect((await send()).status).toBeLessThan(300)
      expect(answerOf(await send())).toEqual([409, { message: `${gone}: variable KEY of pipeline schedule ${id}` }])
    }
    const stored = await rowsOf("select * from chronoforge.idempotent_answers")
    expect([stored.includes(secret), stored.includes("DELETE")]).toEqual([false, true])
  })

  it("that are the same are not stored again", async () => {
    const { id, post, send } = await scheduled("same")
    const events = () => rowsOf(`select type from chronoforge.events where stream = 'schedule-${id}' order by revision`)
    await post({ key: "KEY", value: "v" })
    const before = await events()
    for (const json of [{ value: "v" }, { value: "v", variable_type: "env_var" }]) await send("PUT", "KEY", json)
    expect(await events()).toBe(before)
    await send("PUT", "KEY", { value: "v", variable_type: "file" })
    expect(await events()).not.toBe(before)
  })

  it("of which the key is lost are null, and can be given anew", async () => {
    const { id, path, post, send, shown } = await scheduled("lost")
    await post({ key: "KEY", value: "v" })
    await rowsOf(`delete from chronoforge.data_keys where stream = 'schedule-${id}'`)
    const lost = { variable_type: "env_var", key: "KEY", value: null, raw: false }
    expectExactly([await shown(), (await send("GET", "KEY")).body], [[lost], lost])
    expect((await service.request("POST", path.replace("/variables", "/play"))).status).toBe(201)
    expectExactly((await send("PUT", "KEY", { value: "w" })).body, { ...lost, value: "w" })
  })

  it("are not sealed for what is refused", async () => {
    const { id, post } = await scheduled("refused")
    await post({ key: "a-b", value: "v" })
    expect(await keys()).not.toContain(`schedule-${id}`)
  })
})

it("a schedule with many variables shows them in the order in which they were added", async () => {
  const { post, shown } = await scheduled("many")
  const names = ["Z", "A", "M", "B"]
  for (const key of names) await post({ key, value: key.toLowerCase() })
  expect(await shown()).toEqual(names.map((key) => ({ variable_type: "env_var", key, value: key.toLowerCase(), raw: false })))
})

it("variables of one schedule are none of another", async () => {
  const { post, project } = await scheduled("one")
  const other = idOf(await service.request("POST", pathOf(project), { json: complete }))
  await post({ key: "KEY", value: "v" })
  expect(answerOf(await service.request("GET", `${pathOf(project, other)}/variables/KEY`))).toEqual(noVariable)
})
