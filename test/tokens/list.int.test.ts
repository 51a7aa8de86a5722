import { beforeAll, describe, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { type Row, rowChecker, unauthorized } from "#test/support/rows.ts"
import { rootToken, useService } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"
import { inDays, stopCalendar, tokenBody } from "./bodies.ts"

stopCalendar()
const service = useService()

type Query = Readonly<Record<string, string>>
const names = async (query: Query, token: string) => {
  const { body } = await service.request("GET", "/personal_access_tokens", { query, token })
  return Array.isArray(body) ? body.map((one) => field(one, "name")) : body
}

let [lister, other, token] = [0, 0, ""]
const ids = { alpha: 0, beta: 0, gamma: 0 }
beforeAll(async () => {
  lister = await createUser(service, "lister")
  other = await createUser(service, "other")
  await issueTokenFor(service, other)
  const issue = async (name: string, scopes: ReadonlyArray<string>, expires_at: string) => {
    const json = { name, scopes, expires_at }
    const { body } = await service.request("POST", `/users/${lister}/personal_access_tokens`, { json })
    return { id: Number(field(body, "id")), text: String(field(body, "token")) }
  }
  const alpha = await issue("alpha", ["read_api"], inDays(30))
  const beta = await issue("Beta 100%", ["api"], inDays(20))
  const gamma = await issue("gamma Über 1", ["api"], inDays(0))
  Object.assign(ids, { alpha: alpha.id, beta: beta.id, gamma: gamma.id })
  token = alpha.text
  await service.request("DELETE", `/personal_access_tokens/${beta.id}`)
  // The use of alpha is recorded, so that the orders and filters by it have something to tell apart.
  await service.request("GET", "/version", { token })
  const used = async () => field((await service.request("GET", `/personal_access_tokens/${alpha.id}`)).body, "last_used_at")
  await until(async () => (await used()) !== null)
})

const [alpha, beta, gamma] = ["alpha", "Beta 100%", "gamma Über 1"] as const

describe("GET /personal_access_tokens", () => {
  const rows: ReadonlyArray<readonly [query: Query, found: ReadonlyArray<string>]> = [
    [{}, [alpha, beta, gamma]],
    [{ state: "active" }, [alpha]],
    [{ state: "inactive" }, [beta, gamma]],
    [{ revoked: "true" }, [beta]],
    [{ revoked: "false" }, [alpha, gamma]],
    [{ revoked: "" }, [alpha, beta, gamma]],
    [{ state: "inactive", revoked: "false" }, [gamma]],
    [{ search: "AMM" }, [gamma]],
    [{ search: "beta" }, [beta]],
    [{ search: "über gam" }, [gamma]],
    [{ search: "100%" }, [beta]],
    [{ search: "%%%" }, []],
    [{ search: "be" }, []],
    [{ search: "" }, [alpha, beta, gamma]],
    [{ created_after: "2999-01-01" }, []],
    [{ created_after: "2000-01-01", created_before: "2999-01-01" }, [alpha, beta, gamma]],
    [{ created_before: "2000-01-01" }, []],
    [{ last_used_after: "2000-01-01" }, [alpha]],
    [{ last_used_before: "2999-01-01" }, [alpha]],
    [{ last_used_before: "2000-01-01" }, []],
    [{ expires_after: inDays(20) }, [alpha, beta]],
    [{ expires_before: inDays(20) }, [gamma]],
    [{ expires_after: inDays(1), expires_before: inDays(30) }, [beta]],
    [{ sort: "name_asc" }, [beta, alpha, gamma]],
    [{ sort: "name_desc" }, [gamma, alpha, beta]],
    [{ sort: "expires_asc" }, [gamma, beta, alpha]],
    [{ sort: "expires_desc" }, [alpha, beta, gamma]],
    [{ sort: "created_desc" }, [gamma, beta, alpha]],
    [{ sort: "created_asc" }, [alpha, beta, gamma]],
    [{ sort: "last_used_asc" }, [alpha, gamma, beta]],
    [{ sort: "last_used_desc" }, [gamma, beta, alpha]],
    [{ sort: "nonsense" }, [alpha, beta, gamma]],
    [{ page: "2", per_page: "2" }, [gamma]],
    [{ page: "9" }, []]
  ]
  it.each(rows)("%j", async (query, found) => {
    expect(await names(query, token)).toEqual(found)
    expect(await names({ ...query, user_id: String(lister) }, rootToken)).toEqual(found)
    expect(await names({ ...query, user_id: String(lister) }, token)).toEqual(found)
  })

  it("shows each token whole", async () => {
    const { body, headers } = await service.request("GET", "/personal_access_tokens", { token, query: { sort: "created_asc" } })
    const lastUsed = { last_used_at: expect.stringMatching(/Z$/) }
    expectExactly(body, [
      tokenBody(lister, { id: ids.alpha, name: alpha, scopes: ["read_api"], expires_at: inDays(30), ...lastUsed }),
      tokenBody(lister, { id: ids.beta, name: beta, expires_at: inDays(20), revoked: true, active: false }),
      tokenBody(lister, { id: ids.gamma, name: gamma, expires_at: inDays(0), active: false })
    ])
    expect(
      ["x-total", "x-total-pages", "x-page", "x-per-page", "x-next-page", "x-prev-page"].map((name) => headers.get(name))
    ).toEqual(["3", "1", "1", "20", "", ""])
  })

  it("shows administrators those of all users", async () => {
    expect(await names({ sort: "created_asc" }, rootToken)).toEqual(["root token", "of a test", alpha, beta, gamma])
    expect(await names({ user_id: String(other) }, rootToken)).toEqual(["of a test"])
  })

  const get =
    (query: Query, as: () => string | null = () => token): Row["request"] =>
    () => ["GET", "/personal_access_tokens", { query, token: as() }]
  const noUser = { message: "404 Not Found" }
  const refusals: ReadonlyArray<Row> = [
    { given: "nobody", request: get({}, () => null), status: 401, body: unauthorized },
    { given: "those of others", request: get({ user_id: "1" }), status: 401, body: unauthorized },
    {
      given: "those of users that do not exist, to others",
      request: get({ user_id: "999999" }),
      status: 401,
      body: unauthorized
    },
    {
      given: "those of users that do not exist",
      request: get({ user_id: "999999" }, () => rootToken),
      status: 404,
      body: noUser
    },
    { given: "those of no user", request: get({ user_id: "" }, () => rootToken), status: 404, body: noUser },
    {
      given: "a state that is none",
      request: get({ state: "lost" }),
      status: 400,
      body: { error: "state does not have a valid value" }
    },
    {
      given: "values that are none, in the order of the declaration",
      request: get({ user_id: "x", revoked: "2", created_before: "x", last_used_after: "x", expires_before: "x" }),
      status: 400,
      body: {
        error:
          "user_id is invalid, revoked is invalid, created_before is invalid, last_used_after is invalid, expires_before is invalid"
      }
    }
  ]
  it.each(refusals)("refuses $given", rowChecker(service))
})
