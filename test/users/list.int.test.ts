import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { anyTime, expectExactly, field } from "#test/support/exactly.ts"
import { issueTokenFor } from "#test/support/people/accounts.ts"
import { notAdministrator, type Row, rowChecker, unauthorized } from "#test/support/rows.ts"
import { type Received, rootToken, useService } from "#test/support/service.ts"
import { account, userBody } from "./bodies.ts"
import { type Asker, expectedList, type Listed, type ListQuery } from "./listOracle.ts"

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

/** Ways to a role in a project, and what is none: by turns those of the users. */
const standings: ReadonlyArray<{
  readonly hasProject: boolean
  readonly give?: (userId: number, places: Places) => Promise<Received>
}> = [
  { hasProject: false },
  { hasProject: true, give: (id) => createOwn(id) },
  { hasProject: true, give: (id, { project }) => join(`/projects/${project}`, id, 10) },
  { hasProject: true, give: (id, { outer }) => join(`/groups/${outer}`, id, 10) },
  { hasProject: false, give: (id, { outer }) => join(`/groups/${outer}`, id, 5) },
  { hasProject: false, give: (id, { empty }) => join(`/groups/${empty}`, id, 50) },
  { hasProject: true, give: (id, { invited }) => join(`/groups/${invited}`, id, 10) },
  { hasProject: true, give: (id, { invitedOutside }) => join(`/groups/${invitedOutside}`, id, 30) }
]
const createOwn = async (userId: number) => {
  // Those who are external may create none at first.
  await service.request("PUT", `/users/${userId}`, { json: { projects_limit: 1 } })
  return service.request("POST", `/projects/user/${userId}`, { json: { name: "own" } })
}
const join = (place: string, user_id: number, access_level: number) =>
  service.request("POST", `${place}/members`, { json: { user_id, access_level } })

interface Places {
  /** A group around the group of the project. */
  readonly outer: number
  readonly project: number
  /** Groups invited to the project, and to the group around its group. */
  readonly invited: number
  readonly invitedOutside: number
  /** A group without projects. */
  readonly empty: number
}
const makePlaces = async (): Promise<Places> => {
  const make = async (kind: string, json: object) => Number(field((await service.request("POST", kind, { json })).body, "id"))
  const group = (path: string, more: object = {}) => make("/groups", { name: path, path, ...more })
  const outer = await group("outer")
  const inner = await group("inner", { parent_id: outer })
  const project = await make("/projects", { name: "project", namespace_id: inner })
  const [empty, invited, invitedOutside] = [await group("empty"), await group("invited"), await group("invited-outside")]
  const invite = (place: string, group_id: number) =>
    service.request("POST", `${place}/share`, { json: { group_id, group_access: 20 } })
  const { status } = await invite(`/projects/${project}`, invited)
  expect([status, (await invite(`/groups/${outer}`, invitedOutside)).status]).toEqual([201, 201])
  return { outer, project, empty, invited, invitedOutside }
}

let users: ReadonlyArray<Listed> = []
let token = ""
beforeAll(async () => {
  const listed: Array<Listed> = []
  const places = await makePlaces()
  for (const [index, { admin, external, isPublic, moderation, name, stem }] of population.entries()) {
    const username = `${stem}-${index}`
    const email = `${username}@example.com`.toLowerCase()
    const publicEmail = isPublic ? email : null
    const json = account(username, { name, admin, external, ...(isPublic ? { public_email: email } : {}) })
    const { body } = await service.request("POST", "/users", { json })
    const id = Number(field(body, "id"))
    const createdAt = String(field(body, "created_at"))
    if (moderation !== undefined) expect((await service.request("POST", `/users/${id}/${moderation}`)).body).toBe(true)
    const state = moderation === undefined ? "active" : states[moderation]
    const { give, hasProject = false } = standings[index % standings.length] ?? {}
    expect((await give?.(id, places))?.status).toBe(give === undefined ? undefined : 201)
    listed.push({ id, username, name, email, publicEmail, state, admin, external, hasProject, createdAt, change: index })
  }
  // The first ones change once more, so that the order of changes is not that of creation.
  for (const [index, user] of listed.slice(0, 5).entries()) {
    await service.request("PUT", `/users/${user.id}`, { json: { note: "changed" } })
    listed[index] = { ...user, change: listed.length + index }
  }
  const root = { id: 1, username: "root", name: "Administrator", email: "admin@example.com", admin: true } as const
  const createdAt = String(field((await service.request("GET", "/users/1")).body, "created_at"))
  users = [{ ...root, publicEmail: null, state: "active", external: false, hasProject: true, createdAt, change: -1 }, ...listed]
  const asker = users.find(({ admin, state }) => state === "active" && !admin)
  token = (await issueTokenFor(service, asker?.id ?? 0)).text
})

const list = async (asked: ListQuery, asker: Asker) => {
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
const queries: fc.Arbitrary<ListQuery> = fc.record(
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
    fc.shuffledSubarray([
      "search",
      "order_by",
      "sort",
      "per_page",
      "active",
      "external",
      "created_after",
      "admins",
      "without_projects"
    ])
  )
  .map(
    ([query, names]): ListQuery => Object.fromEntries(Object.entries(query).filter(([name]) => names.slice(0, 3).includes(name)))
  )

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

  it.each(["administrator", "user"] as const)("%s, for those without projects", async (asker) => {
    const asked = { without_projects: "true", per_page: "100" }
    expect(await list(asked, asker)).toEqual(expectedList(users, asked, asker))
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
    return () => ["GET", "/users", { query, token: as && tokens[as]() }]
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
