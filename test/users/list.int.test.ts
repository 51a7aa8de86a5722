import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { issueTokenFor } from "#test/support/accounts.ts"
import { anyTime, expectExactly, field } from "#test/support/exactly.ts"
import { notAdministrator, type Row, rowChecker, unauthorized } from "#test/support/rows.ts"
import { rootToken, useService } from "#test/support/service.ts"
import { account, userBody } from "./bodies.ts"
import { type Asked, type Asker, expectedList, type Listed } from "./listOracle.ts"

const service = useService()

const words = ["ada", "Ada", "LOVE", "lace", "Über", "naïve", "100%", "a_b", "\\", "x", "O'Neil", "日本語", "😀", "ÆØÅ"]
const generated = fc.record({
  name: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(" ")),
  stem: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,5}[A-Za-z0-9]$/),
  admin: fc.boolean(),
  external: fc.boolean(),
  isPublic: fc.boolean(),
  moderation: fc.option(fc.constantFrom("block", "deactivate", "ban"), { freq: 2, nil: undefined })
})
const states = { block: "blocked", deactivate: "deactivated", ban: "banned" } as const
/** Fixed, so that a query that fails fails again. */
const population = fc.sample(generated, { numRuns: 30, seed: 20_241_017 })

let users: ReadonlyArray<Listed> = []
let token = ""
beforeAll(async () => {
  const listed: Array<Listed> = []
  for (const [index, { admin, external, isPublic, moderation, name, stem }] of population.entries()) {
    const username = `${stem}-${index}`
    const email = `${username}@example.com`.toLowerCase()
    const publicEmail = isPublic ? email : null
    const json = account(username, { name, admin, external, ...(isPublic ? { public_email: email } : {}) })
    const { body } = await service.request("POST", "/users", { json })
    const id = Number(field(body, "id"))
    const createdAt = String(field(body, "created_at"))
    listed.push({ id, username, name, email, publicEmail, state: "active", admin, external, createdAt, change: index })
    if (moderation !== undefined) expect((await service.request("POST", `/users/${id}/${moderation}`)).body).toBe(true)
    const state = moderation === undefined ? "active" : states[moderation]
    listed.splice(-1, 1, { id, username, name, email, publicEmail, state, admin, external, createdAt, change: index })
  }
  // The first ones change once more, so that the order of changes is not that of creation.
  for (const [index, user] of listed.slice(0, 5).entries()) {
    await service.request("PUT", `/users/${user.id}`, { json: { note: "changed" } })
    listed[index] = { ...user, change: listed.length + index }
  }
  const root = { id: 1, username: "root", name: "Administrator", email: "admin@example.com", admin: true } as const
  const createdAt = String(field((await service.request("GET", "/users/1")).body, "created_at"))
  users = [{ ...root, publicEmail: null, state: "active", external: false, createdAt, change: -1 }, ...listed]
  const asker = users.find(({ admin, state }) => state === "active" && !admin)
  token = (await issueTokenFor(service, asker?.id ?? 0)).text
})

const list = async (asked: Asked, asker: Asker) => {
  const tokens = { administrator: rootToken, user: token, nobody: null }
  const { body, headers } = await service.request("GET", "/users", { token: tokens[asker], query: { ...asked } })
  const usernames = Array.isArray(body) ? body.map((user) => field(user, "username")) : body
  return { total: Number(headers.get("x-total")), usernames }
}

const flag = fc.constantFrom("true", "false")
const oneOf = (texts: () => ReadonlyArray<string>) => fc.nat().map((index) => texts()[index % texts().length] ?? "")
const search = fc.oneof(
  fc.constantFrom(...words, "ADA love", "über lace", "%%%", "___", "a_b 100%", "@ada", ""),
  oneOf(() => users.flatMap(({ email, name, username }) => [email, name.toUpperCase(), `@${username}`, username.slice(0, 3)]))
)
const queries: fc.Arbitrary<Asked> = fc.record(
  {
    username: oneOf(() => users.map(({ username }) => username.toUpperCase())),
    search,
    active: flag,
    exclude_active: flag,
    external: flag,
    exclude_external: flag,
    blocked: flag,
    humans: flag,
    exclude_humans: flag,
    exclude_internal: flag,
    without_project_bots: flag,
    without_projects: flag,
    admins: flag,
    two_factor: fc.constantFrom("enabled", "disabled"),
    created_after: oneOf(() => users.map(({ createdAt }) => createdAt)),
    created_before: oneOf(() => users.map(({ createdAt }) => createdAt)),
    order_by: fc.constantFrom("id", "name", "username", "created_at", "updated_at"),
    sort: fc.constantFrom("asc", "desc"),
    page: fc.constantFrom("1", "2", "3"),
    per_page: fc.constantFrom("1", "3", "7", "100")
  },
  { requiredKeys: [] }
)
/** Most generated queries ask for so much that nobody is left; these ask for up to three things. */
const narrowQueries = fc
  .tuple(
    queries,
    fc.shuffledSubarray(["search", "order_by", "sort", "per_page", "active", "external", "created_after", "admins"])
  )
  .map(([query, names]): Asked => Object.fromEntries(Object.entries(query).filter(([name]) => names.slice(0, 3).includes(name))))

describe("GET /users answers like a plain filter of a list", () => {
  const runs = { numRuns: 150 }
  it.each(["administrator", "user"] as const)("%s", async (asker) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(queries, narrowQueries), async (asked) => {
        expect(await list(asked, asker)).toEqual(expectedList(users, asked, asker))
      }),
      runs
    )
  })

  it("nobody, who may ask for one name", async () => {
    const named = fc.tuple(
      queries,
      oneOf(() => users.map(({ username }) => username.toLowerCase()))
    )
    await fc.assert(
      fc.asyncProperty(named, async ([query, username]) => {
        const asked = { ...query, username }
        expect(await list(asked, "nobody")).toEqual(expectedList(users, asked, "nobody"))
      }),
      { numRuns: 50 }
    )
  })
})

describe("GET /users", () => {
  const refused = { message: "403 Forbidden - Not authorized to access /api/v4/users" }
  const identity = { provider: "saml", extern_uid: "1" }
  const get = (query: Readonly<Record<string, string>>, as?: "nobody" | "user"): Row["request"] => {
    const tokens = { nobody: () => null, user: () => token }
    return () => ["GET", "/users", { query, ...(as === undefined ? {} : { token: tokens[as]() }) }]
  }
  const rows: ReadonlyArray<Row> = [
    { given: "nobody who asks for all", request: get({}, "nobody"), status: 403, body: refused },
    { given: "nobody who asks for a blank name", request: get({ username: "" }, "nobody"), status: 403, body: refused },
    { given: "nobody who searches", request: get({ search: "root" }, "nobody"), status: 403, body: refused },
    {
      given: "nobody who asks for a name that nobody has",
      request: get({ username: "nobody" }, "nobody"),
      status: 200,
      body: []
    },
    { given: "nobody who asks for an identity", request: get(identity, "nobody"), status: 401, body: unauthorized },
    { given: "others who ask for an identity", request: get(identity, "user"), status: 403, body: notAdministrator },
    { given: "an identity that nobody has", request: get(identity), status: 200, body: [] },
    {
      given: "half an identity",
      request: get({ provider: "saml" }),
      status: 400,
      body: { error: "extern_uid, provider provide all or none of parameters" }
    },
    {
      given: "values that are none, in the order of the declaration",
      request: get({ sort: "up", order_by: "age", active: "2", created_after: "soon", per_page: "0", page: "x" }),
      status: 400,
      body: {
        error:
          "active is invalid, created_after is invalid, order_by does not have a valid value, sort does not have a valid value, page is invalid, per_page has a value not allowed"
      }
    },
    {
      given: "parameters before rights",
      request: get({ sort: "up" }, "nobody"),
      status: 400,
      body: { error: "sort does not have a valid value" }
    },
    { given: "a page after the last", request: get({ page: "1000" }), status: 200, body: [] }
  ]
  it.each(rows)("$given", rowChecker(service))

  it("shows others a reference, administrators everything", async () => {
    const root = { id: 1, username: "root", name: "Administrator" }
    const email = "admin@example.com"
    const differences = { email, commit_email: email, confirmed_at: anyTime, is_admin: true, created_by: null }
    const day = { last_activity_on: expect.toBeOneOf([null, expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]) }
    const seen = async (asker: string | null) =>
      (await service.request("GET", "/users", { token: asker, query: { username: "ROOT" } })).body
    expectExactly(await seen(null), [userBody("reference", root, service.url)])
    expectExactly(await seen(token), [userBody("reference", root, service.url)])
    expectExactly(await seen(rootToken), [userBody("administered", root, service.url, { ...differences, ...day })])
  })
})
