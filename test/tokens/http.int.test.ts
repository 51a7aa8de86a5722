import { beforeAll, describe, expect, it } from "vitest"
import { scopes } from "#src/tokens/scopes.ts"
import { anyTime, expectExactly, field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { noRoute, notAdministrator, notFound, type Row, rowChecker, unauthorized, unknownUser } from "#test/support/rows.ts"
import { rootToken, type Sent, useService } from "#test/support/service.ts"
import { inDays, revoked, stopCalendar, tokenBody } from "./bodies.ts"

stopCalendar()
const service = useService()
const check = rowChecker(service)
const tokenText: unknown = expect.stringMatching(/^glpat-[\w-]{20}$/)

let [ada, bob] = [0, 0]
let [ofAda, ofBob] = [
  { id: 0, text: "" },
  { id: 0, text: "" }
]
beforeAll(async () => {
  ada = await createUser(service, "ada")
  bob = await createUser(service, "bob")
  ofAda = await issueTokenFor(service, ada)
  ofBob = await issueTokenFor(service, bob)
})
const tokensOf = (user: () => number): string => `/users/${user()}/personal_access_tokens`

/** A new token of ada. */
const issue = async (more: object = {}) => {
  const json = { name: "ci", scopes: ["api"], ...more }
  const { body, status } = await service.request(
    "POST",
    tokensOf(() => ada),
    { json }
  )
  expect(status).toBe(201)
  return { id: Number(field(body, "id")), text: String(field(body, "token")) }
}

describe("POST /users/:user_id/personal_access_tokens", () => {
  const many: ReadonlyArray<readonly [string, string]> = [
    ["name", "ci"],
    ["scopes[]", "api"],
    ["scopes[]", "read_user"],
    ["expires_at", inDays(30)]
  ]
  const forms: ReadonlyArray<readonly [string, Sent]> = [
    ["JSON", { json: { name: "ci", scopes: ["api", "read_user"], expires_at: inDays(30) } }],
    ["form", { form: many }],
    ["query", { query: many }]
  ]
  it.each(forms)("issues a token that works: %s", async (_, sent) => {
    const { body, status } = await service.request(
      "POST",
      tokensOf(() => ada),
      sent
    )
    expect(status).toBe(201)
    expectExactly(body, { ...tokenBody(ada, { scopes: ["api", "read_user"], expires_at: inDays(30) }), token: tokenText })
    const token = String(field(body, "token"))
    expect((await service.request("GET", "/user", { token })).body).toMatchObject({ id: ada })
    expect((await service.request("POST", "/users", { token })).status).toBe(400)
  })

  const rows: ReadonlyArray<readonly [given: string, sent: object, differences: object]> = [
    ["for a year, if nothing else is asked for", {}, {}],
    ["for a year, if a blank date is asked for", { expires_at: "" }, {}],
    ["for a year, if no date is asked for", { expires_at: null }, {}],
    ["until tomorrow", { expires_at: inDays(1) }, { expires_at: inDays(1) }],
    ["that has ended already", { expires_at: inDays(0) }, { expires_at: inDays(0), active: false }],
    ["with a date in another form", { expires_at: inDays(9).replaceAll("-", "") }, { expires_at: inDays(9) }],
    ["with every scope", { scopes }, { scopes: [...scopes] }],
    ["with scopes in a text", { scopes: "api, sudo" }, { scopes: ["api", "sudo"] }],
    ["with a scope once", { scopes: ["api", "api"] }, {}],
    ["with a name that others have", { name: "of a test" }, { name: "of a test" }],
    ["with a name of 255 characters", { name: "\u{1f980}".repeat(255) }, { name: "\u{1f980}".repeat(255) }]
  ]
  it.each(rows)("issues one %s", async (_, sent, differences) => {
    const json = { name: "ci", scopes: ["api"], ...sent }
    const { body, status } = await service.request(
      "POST",
      tokensOf(() => ada),
      { json }
    )
    expect(status).toBe(201)
    expectExactly(body, { ...tokenBody(ada, { ...differences }), token: tokenText })
  })

  const post =
    (json: object, user = () => ada, token = rootToken): Row["request"] =>
    () => ["POST", tokensOf(user), { json, token }]
  const valid = { name: "ci", scopes: ["api"] }
  const refusals: ReadonlyArray<Row> = [
    { given: "nobody", request: () => ["POST", tokensOf(() => ada), { token: null, json: {} }], status: 401, body: unauthorized },
    {
      given: "others, before their parameters",
      request: () => ["POST", tokensOf(() => ada), { token: ofAda.text, json: {} }],
      status: 403,
      body: notAdministrator
    },
    {
      given: "nothing",
      request: post({}),
      status: 400,
      body: { error: "name is missing, scopes is missing, scopes does not have a valid value" }
    },
    { given: "no name", request: post({ scopes: ["api"] }), status: 400, body: { error: "name is missing" } },
    {
      given: "an unknown scope",
      request: post({ name: "ci", scopes: ["api", "root"] }),
      status: 400,
      body: { error: "scopes does not have a valid value" }
    },
    {
      given: "a date that is none",
      request: post({ ...valid, expires_at: "2024-02-30" }),
      status: 400,
      body: { error: "expires_at is invalid" }
    },
    {
      given: "a date after a year",
      request: post({ ...valid, expires_at: inDays(366) }),
      status: 400,
      body: { message: `Expires at must be before ${inDays(365)}` }
    },
    {
      given: "yesterday",
      request: post({ ...valid, expires_at: inDays(-1) }),
      status: 400,
      body: { message: "Expires at can't be in the past" }
    },
    { given: "a blank name", request: post({ ...valid, name: " " }), status: 400, body: { message: "Name can't be blank" } },
    {
      given: "a name of 256 characters",
      request: post({ ...valid, name: "n".repeat(256) }),
      status: 400,
      body: { message: "Name is too long (maximum is 255 characters)" }
    },
    { given: "no scopes", request: post({ ...valid, scopes: [] }), status: 400, body: { message: "Scopes can't be blank" } },
    {
      given: "several faults",
      request: post({ name: "", scopes: [], expires_at: inDays(-1) }),
      status: 400,
      body: { message: "Name can't be blank and Scopes can't be blank and Expires at can't be in the past" }
    },
    { given: "an unknown user", request: post(valid, () => 999_999), status: 404, body: unknownUser },
    {
      given: "a name in the path",
      request: () => ["POST", "/users/ada/personal_access_tokens", { json: valid }],
      status: 404,
      body: noRoute
    },
    {
      given: "parameters of an unknown user first",
      request: post({}, () => 0),
      status: 400,
      body: { error: "name is missing, scopes is missing, scopes does not have a valid value" }
    }
  ]
  it.each(refusals)("refuses $given", check)
})

describe("GET /personal_access_tokens/:id and /self", () => {
  const shown = () =>
    tokenBody(ada, { id: ofAda.id, name: "of a test", expires_at: null, last_used_at: expect.toBeOneOf([null, anyTime]) })
  const get =
    (path: () => string | number, token: () => string | null = () => rootToken): Row["request"] =>
    () => ["GET", `/personal_access_tokens/${path()}`, { token: token() }]

  it("shows a token to its user and to administrators", async () => {
    for (const [path, token] of [
      [ofAda.id, ofAda.text],
      ["self", ofAda.text],
      [ofAda.id, rootToken]
    ] as const) {
      await check({
        given: "",
        request: get(
          () => path,
          () => token
        ),
        status: 200,
        body: shown()
      })
    }
  })

  it("/self is the token of the request, also for who acts as somebody else", async () => {
    const { body } = await service.request("GET", "/personal_access_tokens/self", { headers: { sudo: "ada" } })
    expect(body).toMatchObject({ name: "root token", user_id: 1 })
  })

  it.each(scopes)("/self needs no other scope than %s", async (scope) => {
    const { text: token } = await issueTokenFor(service, ada, { scopes: [scope] })
    expect((await service.request("GET", "/personal_access_tokens/self", { token })).body).toMatchObject({ scopes: [scope] })
  })

  const rows: ReadonlyArray<Row> = [
    {
      given: "nobody",
      request: get(
        () => ofAda.id,
        () => null
      ),
      status: 401,
      body: unauthorized
    },
    {
      given: "nobody itself",
      request: get(
        () => "self",
        () => null
      ),
      status: 401,
      body: unauthorized
    },
    {
      given: "others",
      request: get(
        () => ofAda.id,
        () => ofBob.text
      ),
      status: 404,
      body: notFound
    },
    { given: "a token that does not exist", request: get(() => 999_999), status: 404, body: notFound },
    {
      given: "a token that does not exist, by others",
      request: get(
        () => 999_999,
        () => ofBob.text
      ),
      status: 404,
      body: notFound
    },
    { given: "a text that is no id", request: get(() => "abc"), status: 404, body: notFound }
  ]
  it.each(rows)("refuses $given", check)
})

describe("DELETE /personal_access_tokens/:id and /self", () => {
  const remove = (path: string | number, token: string | null) =>
    service.request("DELETE", `/personal_access_tokens/${path}`, { token })
  const own =
    (token: string): Row["request"] =>
    () => ["GET", "/user", { token }]

  it.each(["its user", "an administrator", "itself"])(
    "revokes a token for %s, which is refused from the next request on",
    async (by) => {
      const { id, text } = await issue()
      const { body, status } =
        by === "itself" ? await remove("self", text) : await remove(id, by === "its user" ? ofAda.text : rootToken)
      expect([status, body]).toEqual([204, undefined])
      await check({ given: "", request: own(text), status: 401, body: revoked })
      const differences = { id, revoked: true, active: false, last_used_at: expect.toBeOneOf([null, anyTime]) }
      await check({
        given: "",
        request: () => ["GET", `/personal_access_tokens/${id}`],
        status: 200,
        body: tokenBody(ada, differences)
      })
      expect((await remove(id, rootToken)).status).toBe(204)
      expect((await remove("self", text)).status).toBe(401)
    }
  )

  it.each(["its id", "self"])("If-Unmodified-Since protects a token that is younger, by %s", async (by) => {
    const { id, text } = await issue()
    const revokeSince = async (since: Date) => {
      const headers = { "if-unmodified-since": since.toUTCString() }
      const { body, status } = await service.request("DELETE", `/personal_access_tokens/${by === "self" ? by : id}`, {
        token: text,
        headers
      })
      return [status, body]
    }
    expect(await revokeSince(new Date("1994-11-06T08:49:37Z"))).toEqual([412, { message: "412 Precondition Failed" }])
    expect((await service.request("GET", "/user", { token: text })).status).toBe(200)
    expect(await revokeSince(new Date(Date.now() + 60_000))).toEqual([204, undefined])
    await check({ given: "", request: own(text), status: 401, body: revoked })
  })

  it("leaves the other tokens of the user as they are", async () => {
    const [one, other] = [await issue(), await issue()]
    await remove(one.id, one.text)
    expect((await service.request("GET", "/user", { token: other.text })).status).toBe(200)
  })

  const rows: ReadonlyArray<Row> = [
    {
      given: "nobody",
      request: () => ["DELETE", `/personal_access_tokens/${ofAda.id}`, { token: null }],
      status: 401,
      body: unauthorized
    },
    {
      given: "nobody itself",
      request: () => ["DELETE", "/personal_access_tokens/self", { token: null }],
      status: 401,
      body: unauthorized
    },
    {
      given: "others",
      request: () => ["DELETE", `/personal_access_tokens/${ofAda.id}`, { token: ofBob.text }],
      status: 404,
      body: notFound
    },
    {
      given: "a token that does not exist",
      request: () => ["DELETE", "/personal_access_tokens/999999"],
      status: 404,
      body: notFound
    },
    { given: "a text that is no id", request: () => ["DELETE", "/personal_access_tokens/abc"], status: 404, body: notFound }
  ]
  it.each(rows)("refuses $given", check)

  it.each(scopes)("/self needs no other scope than %s", async (scope) => {
    const { text } = await issueTokenFor(service, ada, { scopes: [scope] })
    expect((await remove("self", text)).status).toBe(204)
    await check({ given: "", request: own(text), status: 401, body: revoked })
  })
})

describe("tokens of a deleted user", () => {
  it("are unknown, to their owner and to administrators", async () => {
    const user = await createUser(service, "leaver")
    const { id, text } = await issueTokenFor(service, user)
    await service.request("DELETE", `/users/${user}`)
    await check({ given: "", request: () => ["GET", "/user", { token: text }], status: 401, body: unauthorized })
    await check({ given: "", request: () => ["GET", `/personal_access_tokens/${id}`], status: 404, body: notFound })
    await check({
      given: "",
      request: () => ["GET", "/personal_access_tokens", { query: { user_id: String(user) } }],
      status: 404,
      body: { message: "404 Not Found" }
    })
    await check({
      given: "",
      request: () => ["POST", tokensOf(() => user), { json: { name: "ci", scopes: ["api"] } }],
      status: 404,
      body: unknownUser
    })
  })
})
