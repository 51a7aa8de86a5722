import { beforeAll, describe, expect, it } from "vitest"
import { anyTime, expectExactly, field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import {
  emailTaken,
  noRoute,
  notAdministrator,
  type Row,
  rowChecker,
  unauthorized,
  unknownUser,
  usernameTaken
} from "#test/support/rows.ts"
import { type Sent, useService } from "#test/support/service.ts"
import { account, userBody } from "./bodies.ts"

const service = useService()
const check = rowChecker(service)

let [ada, bob, adaToken] = [0, 0, ""]
beforeAll(async () => {
  ada = await createUser(service, "ada")
  bob = await createUser(service, "bob", { provider: "saml", extern_uid: "b0b" })
  adaToken = (await issueTokenFor(service, ada)).text
})
const asAda = (sent: Sent = {}): Sent => ({ token: adaToken, ...sent })

describe("GET", () => {
  const refused = { message: "403 Forbidden - Not authorized!" }
  const rows: ReadonlyArray<Row> = [
    { given: "/users/:id by nobody", request: () => ["GET", `/users/${ada}`, { token: null }], status: 403, body: refused },
    {
      given: "/users/:id by nobody, of nobody",
      request: () => ["GET", "/users/999999", { token: null }],
      status: 403,
      body: refused
    },
    { given: "/users/:id of nobody", request: () => ["GET", "/users/999999"], status: 404, body: unknownUser },
    { given: "/users/:id of nobody, by others", request: () => ["GET", "/users/0", asAda()], status: 404, body: unknownUser },
    { given: "/users/:id by name", request: () => ["GET", "/users/ada"], status: 404, body: noRoute },
    { given: "/users/:id by name and nobody", request: () => ["GET", "/users/ada", { token: null }], status: 404, body: noRoute },
    { given: "/users/:id with a sign", request: () => ["GET", "/users/-1"], status: 404, body: noRoute },
    {
      given: "/users/:id with a number that is too large",
      request: () => ["GET", "/users/99999999999999999999"],
      status: 404,
      body: unknownUser
    },
    { given: "/user by nobody", request: () => ["GET", "/user", { token: null }], status: 401, body: unauthorized }
  ]
  it.each(rows)("$given", check)

  it("/users/:id shows others a profile and administrators all", async () => {
    const read = async (id: number, token?: string) => (await service.request("GET", `/users/${id}`, { token })).body
    const identities = [{ provider: "saml", extern_uid: "b0b" }]
    expectExactly(await read(bob, adaToken), userBody("profile", { id: bob, username: "bob" }, service.url))
    expectExactly(await read(ada, adaToken), userBody("profile", { id: ada, username: "ada" }, service.url))
    expectExactly(await read(bob), userBody("read", { id: bob, username: "bob" }, service.url, { identities }))
  })

  it("/user shows administrators all, others themselves", async () => {
    const root = { id: 1, username: "root", name: "Administrator" }
    const email = "admin@example.com"
    const differences = { email, commit_email: email, confirmed_at: anyTime, is_admin: true, created_by: null }
    const own = (sent: Sent) => service.request("GET", "/user", sent)
    const day = { last_activity_on: expect.toBeOneOf([null, expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]) }
    expectExactly((await own({})).body, userBody("administered", root, service.url, { ...differences, ...day }))
    expectExactly((await own(asAda())).body, userBody("full", { id: ada, username: "ada" }, service.url, day))
    expectExactly(
      (await own({ headers: { sudo: "bob" } })).body,
      userBody("full", { id: bob, username: "bob" }, service.url, {
        identities: [{ provider: "saml", extern_uid: "b0b" }]
      })
    )
  })
})

describe("PUT /users/:id", () => {
  const fields = {
    bio: "b",
    name: "Renamed",
    admin: true,
    organization: "O",
    note: "n",
    theme_id: 5,
    private_profile: true,
    location: "L"
  }
  const seen = {
    bio: "b",
    is_admin: true,
    organization: "O",
    work_information: "O",
    note: "n",
    theme_id: 5,
    private_profile: true,
    location: "L"
  }
  it.each(requestForms)("changes what is given: %s", async (form, sent) => {
    const [before, username] = [`before_${form.toLowerCase()}`, `after_${form.toLowerCase()}`]
    const id = await createUser(service, before)
    const email = `${username}@example.com`
    const { body, status } = await service.request("PUT", `/users/${id}`, sent({ ...fields, username, email }))
    expect(status).toBe(200)
    expectExactly(body, userBody("administered", { id, username, name: "Renamed" }, service.url, seen))
    expectExactly((await service.request("PUT", `/users/${id}`, { json: {} })).body, body)
  })

  it("gives back what null and blank texts take away", async () => {
    const id = await createUser(service, "cleared", { bio: "b", location: "L", note: "n", skype: "s", theme_id: 5 })
    const json = { bio: null, location: null, note: null, skype: "", theme_id: "", username: null, email: null, password: "" }
    const { body } = await service.request("PUT", `/users/${id}`, { json })
    expectExactly(body, userBody("administered", { id, username: "cleared" }, service.url, { theme_id: 5 }))
  })

  const put =
    (json: object, id = () => bob): Row["request"] =>
    () => ["PUT", `/users/${id()}`, { json }]
  const rows: ReadonlyArray<Row> = [
    { given: "nobody", request: () => ["PUT", `/users/${bob}`, { token: null, json: {} }], status: 401, body: unauthorized },
    {
      given: "others",
      request: () => ["PUT", `/users/${ada}`, asAda({ json: { bio: "x" } })],
      status: 403,
      body: notAdministrator
    },
    {
      given: "others, after their parameters",
      request: () => ["PUT", `/users/${ada}`, asAda({ json: { admin: "perhaps" } })],
      status: 400,
      body: { error: "admin is invalid" }
    },
    {
      given: "others, before it looks for the user",
      request: () => ["PUT", "/users/999999", asAda({ json: {} })],
      status: 403,
      body: notAdministrator
    },
    { given: "a name in the path", request: () => ["PUT", "/users/bob"], status: 404, body: noRoute },
    { given: "an unknown user", request: put({}, () => 999_999), status: 404, body: unknownUser },
    { given: "a taken address", request: put({ email: "Ada@example.com" }), status: 409, body: emailTaken },
    { given: "a taken name", request: put({ username: "ADA" }), status: 409, body: usernameTaken },
    {
      given: "both, the address first",
      request: put({ username: "ada", email: "ada@example.com" }),
      status: 409,
      body: emailTaken
    },
    {
      given: "a taken name before other faults",
      request: put({ username: "ada", theme_id: 12 }),
      status: 409,
      body: usernameTaken
    },
    { given: "a blank name", request: put({ name: "" }), status: 400, body: { message: { name: ["can't be blank"] } } },
    {
      given: "a short password",
      request: put({ password: "short" }),
      status: 400,
      body: { message: { password: ["is too short (minimum is 8 characters)"] } }
    },
    {
      given: "half an identity",
      request: put({ extern_uid: "1" }),
      status: 400,
      body: { error: "extern_uid, provider provide all or none of parameters" }
    }
  ]
  it.each(rows)("refuses $given", check)
})

describe("DELETE /users/:id", () => {
  const rows: ReadonlyArray<Row> = [
    { given: "nobody", request: () => ["DELETE", `/users/${bob}`, { token: null }], status: 401, body: unauthorized },
    { given: "others", request: () => ["DELETE", `/users/${ada}`, asAda()], status: 403, body: notAdministrator },
    {
      given: "a switch that is none",
      request: () => ["DELETE", `/users/${bob}`, { query: { hard_delete: "2" } }],
      status: 400,
      body: { error: "hard_delete is invalid" }
    },
    { given: "an unknown user", request: () => ["DELETE", "/users/999999"], status: 404, body: unknownUser },
    { given: "a name in the path", request: () => ["DELETE", "/users/bob"], status: 404, body: noRoute },
    {
      given: "a user who changed since",
      request: () => ["DELETE", `/users/${bob}`, { headers: { "if-unmodified-since": "Mon, 01 Jan 2024 00:00:00 GMT" } }],
      status: 412,
      body: { message: "412 Precondition Failed" }
    }
  ]
  it.each(rows)("refuses $given", check)

  it.each(requestForms)("removes the user, and frees the names: %s", async (form, sent) => {
    const username = `leaver_${form.toLowerCase()}`
    const id = await createUser(service, username)
    const { body, status } = await service.request("DELETE", `/users/${id}`, sent({ hard_delete: true }))
    expect([status, body]).toEqual([204, undefined])
    await check({ given: "", request: () => ["GET", `/users/${id}`], status: 404, body: unknownUser })
    await check({ given: "", request: () => ["DELETE", `/users/${id}`], status: 404, body: unknownUser })
    expect(await createUser(service, username)).toBeGreaterThan(id)
  })

  it("leaves no trace of the creator in those they created", async () => {
    const id = await createUser(service, "creator", { admin: true })
    const { text } = await issueTokenFor(service, id)
    const child = field((await service.request("POST", "/users", { token: text, json: account("created") })).body, "id")
    await service.request("DELETE", `/users/${id}`)
    const { body } = await service.request("GET", `/users/${child}`)
    expectExactly(body, userBody("read", { id: child, username: "created" }, service.url, { created_by: null }))
  })
})

describe("a private profile", () => {
  it("tells others less", async () => {
    const attributes = { bio: "b", location: "l", organization: "o" }
    const [open, shy] = [
      await createUser(service, "open-profile", attributes),
      await createUser(service, "shy-profile", { ...attributes, private_profile: true })
    ]
    const reader = await issueTokenFor(service, open)
    const own = await issueTokenFor(service, shy)
    const keys = async (id: number, token?: string) => {
      const { body } = await service.request("GET", `/users/${id}`, { token })
      return Object.keys(body as object)
    }
    const whole = await keys(open, reader.text)
    const hidden = ["created_at", "bio", "location", "followers", "following", "is_followed"]
    expect(await keys(shy, reader.text)).toEqual(whole.filter((key) => !hidden.includes(key)))
    expect(await keys(shy, own.text)).toEqual(whole)
    expect(await keys(shy)).toEqual(await keys(open))
  })
})

it("administrators see the highest role that a user has in a group or project", async () => {
  const id = await createUser(service, "worker")
  const role = async () => field((await service.request("GET", `/users/${id}`)).body, "highest_role")
  expect(await role()).toBe(0)
  const group = field((await service.request("POST", "/groups", { json: { name: "work", path: "work" } })).body, "id")
  const project = field((await service.request("POST", "/projects", { json: { name: "work" } })).body, "id")
  for (const [thing, access_level] of [
    [`/groups/${group}`, 20],
    [`/projects/${project}`, 30]
  ] as const) {
    await service.request("POST", `${thing}/members`, { json: { user_id: id, access_level } })
    expect(await role()).toBe(access_level)
  }
})
