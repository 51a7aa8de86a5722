import { beforeAll, describe, expect, it } from "vitest"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { revokeSuccessors } from "#src/tokens/issue/rotate.ts"
import { expectExactly, field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import { notFound, type Row, rowChecker, unauthorized } from "#test/support/rows.ts"
import { type Sent, useService } from "#test/support/service.ts"
import { inDays, revoked, stopCalendar, tokenBody } from "./bodies.ts"

stopCalendar()
const service = useService()
const check = rowChecker(service)
const scopes = ["api", "read_user"]

let [ada, bob] = [0, 0]
beforeAll(async () => {
  ada = await createUser(service, "ada")
  bob = await createUser(service, "bob")
})
const issue = () => issueTokenFor(service, ada, { scopes, expiresAt: inDays(100) })
const rotate = (path: string | number, sent?: Sent) => service.request("POST", `/personal_access_tokens/${path}/rotate`, sent)
const successor = (expiresAt = inDays(7)) => ({
  ...tokenBody(ada, { name: "of a test", scopes, expires_at: expiresAt }),
  token: expect.stringMatching(/^glpat-[\w-]{20}$/)
})
const own =
  (token: string): Row["request"] =>
  () => ["GET", "/user", { token }]
const history = async (id: unknown) => {
  const events = await service.run(EventStore.use((store) => store.read(`personalAccessToken-${id}`)))
  return events.filter(({ type }) => type !== "TokenUsed").map(({ data, type }) => [type, data])
}

describe("rotation", () => {
  it.each(requestForms)("replaces a token by one that lasts as long as asked for: %s", async (_, sent) => {
    const old = await issue()
    const { body, status } = await rotate(old.id, sent({ expires_at: inDays(9) }))
    expect(status).toBe(200)
    expectExactly(body, successor(inDays(9)))
    await check({ given: "", request: own(old.text), status: 401, body: revoked })
    expect((await service.request("GET", "/user", { token: String(field(body, "token")) })).body).toMatchObject({ id: ada })
  })

  it("by the token itself, which then ends", async () => {
    const old = await issue()
    const { body, status } = await rotate("self", { token: old.text })
    expect(status).toBe(200)
    expectExactly(body, successor())
    expect(await history(old.id)).toMatchObject([
      ["TokenIssued", {}],
      ["TokenRotated", { successor: field(body, "id") }]
    ])
    await check({ given: "", request: own(old.text), status: 401, body: revoked })
  })

  it("by another token of its user", async () => {
    const [old, other] = [await issue(), await issue()]
    expectExactly((await rotate(old.id, { token: other.text })).body, successor())
    expect((await service.request("GET", "/user", { token: other.text })).status).toBe(200)
  })

  it("of a successor again", async () => {
    const first = await issue()
    const second = (await rotate("self", { token: first.text })).body
    const third = (await rotate("self", { token: String(field(second, "token")) })).body
    expect(field(third, "token")).not.toBe(field(second, "token"))
    await check({ given: "", request: own(String(field(second, "token"))), status: 401, body: revoked })
    expect((await service.request("GET", "/user", { token: String(field(third, "token")) })).status).toBe(200)
  })

  it("has one winner, and leaves no token behind that nobody got", async () => {
    const racer = await createUser(service, "racer")
    const old = await issueTokenFor(service, racer)
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => rotate(old.id)))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 400, 400, 400, 400, 400])
    const query = { user_id: String(racer), state: "active" }
    const active = async () => (await service.request("GET", "/personal_access_tokens", { query })).headers.get("x-total")
    await expect.poll(active).toBe("1")
  })

  it("can be taken back as far as it went", async () => {
    const old = await issue()
    const next = (await rotate(old.id)).body
    const last = (await rotate(String(field(next, "id")))).body
    await service.run(revokeSuccessors(old.id))
    expect(await history(field(last, "id"))).toMatchObject([
      ["TokenIssued", {}],
      ["TokenRevoked", { reason: "reuse" }]
    ])
  })
})

describe("rotation refuses", () => {
  let [ofAda, ended, ofBob] = [0, 0, ""]
  beforeAll(async () => {
    ofAda = (await issue()).id
    ended = (await issue()).id
    ofBob = (await issueTokenFor(service, bob)).text
    await rotate(ended)
  })
  const post =
    (path: () => string | number, sent: () => Sent = () => ({})): Row["request"] =>
    () => ["POST", `/personal_access_tokens/${path()}/rotate`, sent()]
  const bad = (reason: string) => ({ message: `400 Bad request - ${reason}` })
  const rows: ReadonlyArray<Row> = [
    {
      given: "nobody",
      request: post(
        () => ofAda,
        () => ({ token: null })
      ),
      status: 401,
      body: unauthorized
    },
    {
      given: "nobody itself",
      request: post(
        () => "self",
        () => ({ token: null })
      ),
      status: 401,
      body: unauthorized
    },
    {
      given: "others",
      request: post(
        () => ofAda,
        () => ({ token: ofBob })
      ),
      status: 401,
      body: unauthorized
    },
    { given: "a token that does not exist", request: post(() => 999_999), status: 404, body: notFound },
    { given: "a text that is no id", request: post(() => "abc"), status: 404, body: notFound },
    {
      given: "a date that is none",
      request: post(
        () => ofAda,
        () => ({ json: { expires_at: "soon" } })
      ),
      status: 400,
      body: { error: "expires_at is invalid" }
    },
    {
      given: "a date after a year",
      request: post(
        () => ofAda,
        () => ({ json: { expires_at: inDays(366) } })
      ),
      status: 400,
      body: bad(`Expires at must be before ${inDays(365)}`)
    },
    {
      given: "yesterday",
      request: post(
        () => ofAda,
        () => ({ json: { expires_at: inDays(-1) } })
      ),
      status: 400,
      body: bad("Expires at can't be in the past")
    },
    { given: "a token that was rotated", request: post(() => ended), status: 400, body: bad("token already revoked") }
  ]
  it.each(rows)("$given", check)

  it("and leaves the token as it was", async () => {
    expect(await history(ofAda)).toMatchObject([["TokenIssued", {}]])
  })
})
