import { beforeAll, describe, expect, it } from "vitest"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { logText, tablesThatHold } from "#test/support/everywhere.ts"
import { field } from "#test/support/exactly.ts"
import { createUser } from "#test/support/people/accounts.ts"
import { type Sent, useService } from "#test/support/service.ts"
import { account } from "./bodies.ts"

const service = useService()
const password = "Tr0ub4dor-and-horse"

const { force_random_password: _, ...chosen } = account("ada", { password })

/** Everything that is sent with the password, and what becomes of it. */
const requests: ReadonlyArray<readonly [given: string, method: string, path: string, sent: Sent, status: number]> = [
  ["a creation as JSON", "POST", "/users", { json: chosen }, 201],
  ["a creation as a form", "POST", "/users", { form: { ...chosen, username: "bob", email: "bob@example.com" } }, 201],
  ["a creation as multipart", "POST", "/users", { multipart: { ...chosen, username: "cleo", email: "c@example.com" } }, 201],
  ["a creation as a query", "POST", "/users", { query: { ...chosen, username: "dan", email: "dan@example.com" } }, 201],
  [
    "a creation with an escaped name",
    "POST",
    "/users?p%61ssword=Tr0ub4dor-and-horse",
    { json: { ...chosen, username: "", password: undefined } },
    409
  ],
  ["a taken name", "POST", "/users", { query: { ...chosen, email: "other@example.com" } }, 409],
  ["other faults", "POST", "/users", { json: { ...chosen, username: "e", email: "e@example.com", theme_id: 0 } }, 400],
  [
    "a password that is too long",
    "POST",
    "/users",
    { json: { ...chosen, username: "f", email: "f@example.com", password: password.repeat(9) } },
    400
  ],
  ["a value of the wrong type", "POST", "/users", { json: { ...chosen, password: [password] } }, 400],
  ["nobody", "POST", "/users", { token: null, query: chosen }, 401],
  [
    "a creation that may be repeated",
    "POST",
    "/users",
    { json: { ...chosen, username: "gus", email: "g@example.com" }, headers: { "idempotency-key": "1" } },
    201
  ],
  ["a change as JSON", "PUT", "/users/:id", { json: { password } }, 200],
  ["a change as a query", "PUT", "/users/:id", { query: { password } }, 200],
  ["a change that is refused", "PUT", "/users/:id", { query: { password, name: "" } }, 400],
  ["a change of nobody", "PUT", "/users/999999", { query: { password } }, 404]
]

describe("a password is told to nobody:", () => {
  let id = 0
  beforeAll(async () => {
    id = await createUser(service, "changing")
  })
  it.each(requests)("%s", async (_, method, path, sent, status) => {
    const received = await service.request(method, path.replace(":id", String(id)), sent)
    expect(received.status).toBe(status)
    const told = JSON.stringify([received.body, ...received.headers])
    expect(told).not.toContain(password)
    expect(told).not.toContain("scrypt")
  })

  it("and kept nowhere", async () => {
    expect(await tablesThatHold(service, password)).toEqual([])
    expect(logText(service)).not.toContain(password)
    expect(await tablesThatHold(service, "$scrypt$")).toEqual(["chronoforge.events"])
  })
})

describe("a password is", () => {
  const events = async (id: number) => {
    const all = await service.run(EventStore.use((store) => store.read(`user-${id}`)))
    return all.map(({ data, metadata, type }) => ({ type, data, actor: metadata.actor }))
  }

  it("recorded as a digest, with a salt of its own, by whoever set it", async () => {
    const json = { ...chosen, username: "first", email: "first@example.com" }
    const id = Number(field((await service.request("POST", "/users", { json })).body, "id"))
    await service.request("PUT", `/users/${id}`, { json: { password } })
    const [created, ...set] = await events(id)
    expect(created?.type).toBe("UserCreated")
    const digest = expect.stringMatching(/^\$scrypt\$n=32768,r=8,p=1\$[\w+/]{22}==\$[\w+/]{43}=$/)
    const expected = { type: "UserPasswordChanged", data: { digest }, actor: "user:1" }
    expect(set).toEqual([expected, expected])
    expect(field(set[0]?.data, "digest")).not.toBe(field(set[1]?.data, "digest"))
  })

  it.each(["force_random_password", "reset_password"])("not made at all for %s", async (name) => {
    const json = { username: name, name, email: `${name}@example.com`, [name]: true }
    const id = Number(field((await service.request("POST", "/users", { json })).body, "id"))
    expect((await events(id)).map(({ type }) => type)).toEqual(["UserCreated"])
  })
})
