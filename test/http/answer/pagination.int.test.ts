import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { type Received, rootToken, type Sent, useService } from "#test/support/service.ts"

const service = useService()

/** Rows for users beside root that no event made: the list looks at rows only. */
const fill = (users: number) =>
  service.run(
    Sql.use(({ client }) =>
      query(
        () => client`
          insert into rm_users.users select (jsonb_populate_record(u, jsonb_build_object('id', n, 'username', 'user' || n))).*
          from rm_users.users u, generate_series(2, ${users}) n where u.id = 1 on conflict do nothing`
      )
    ).pipe(Effect.asVoid)
  )

beforeAll(() => fill(45))

const list = (query: Readonly<Record<string, string>>, sent: Sent = {}) => service.request("GET", "/users", { query, ...sent })

const pageHeaders = ({ headers }: Received) =>
  ["x-page", "x-per-page", "x-prev-page", "x-next-page", "x-total", "x-total-pages"].map((name) => headers.get(name))

/** Links by relation. */
const linksOf = ({ headers }: Received): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (headers.get("link") ?? "").split(", ").map((link) => {
      const [, url = "", relation = link] = /^<([^>]+)>; rel="(\w+)"$/.exec(link) ?? []
      return [relation, url]
    })
  )

const idsOf = (body: unknown): ReadonlyArray<unknown> =>
  Array.isArray(body) ? body.map((entry) => (typeof entry === "object" && entry !== null ? Reflect.get(entry, "id") : entry)) : []

const follow = async (url: string): Promise<Received> => {
  const { headers, status, ...response } = await fetch(url, { headers: { "private-token": rootToken } }).then(async (it) => ({
    headers: it.headers,
    status: it.status,
    body: await it.json()
  }))
  return { status, headers, body: response.body }
}

describe("a list read by its links", () => {
  it("comes complete, in order, each entry once", async () => {
    let page = await list({ sort: "asc", per_page: "7" })
    const ids = [...idsOf(page.body)]
    for (let next = linksOf(page).next; next !== undefined; next = linksOf(page).next) {
      page = await follow(next)
      ids.push(...idsOf(page.body))
    }
    expect(ids).toEqual(Array.from({ length: 45 }, (_, index) => index + 1))
    expect(Object.keys(linksOf(page))).toEqual(["prev", "first", "last"])
  })

  it("can be read backwards too", async () => {
    const middle = await list({ per_page: "20", page: "2" })
    const { first = "", last = "", next = "", prev = "" } = linksOf(middle)
    const pages = await Promise.all([prev, next, first, last].map(async (url) => (await follow(url)).headers.get("x-page")))
    expect([Object.keys(linksOf(middle)), pages]).toEqual([
      ["prev", "next", "first", "last"],
      ["1", "3", "1", "3"]
    ])
  })

  it("keeps the parameters, with defaults, in the links, but never a token", async () => {
    const received = await list({ search: "user 1&é", private_token: rootToken, unknown: "x" }, { token: null })
    const flags = (names: ReadonlyArray<string>) => names.map((name) => `${name}=false`).join("&")
    const before = flags(["active", "admins", "blocked"])
    const exclusions = flags(["exclude_active", "exclude_external", "exclude_humans", "exclude_internal", "external", "humans"])
    const after = flags(["without_project_bots", "without_projects"])
    expect(linksOf(received).first).toBe(
      `${service.url}/api/v4/users?${before}&${exclusions}&page=1&per_page=20&search=user+1%26%C3%A9&${after}`
    )
  })

  it("has links to the path as it was sent, encoded", async () => {
    const received = await service.request("GET", "/users/%31/keys")
    expect(linksOf(received).first).toBe(`${service.url}/api/v4/users/%31/keys?page=1&per_page=20&user_id=1`)
  })
})

describe("page and per_page", () => {
  type Row = readonly [given: string, query: Readonly<Record<string, string>>, headers: ReadonlyArray<string>, entries: number]
  const rows: ReadonlyArray<Row> = [
    ["nothing", {}, ["1", "20", "", "2", "45", "3"], 20],
    ["the last page", { page: "3" }, ["3", "20", "2", "", "45", "3"], 5],
    ["a page beyond the end", { page: "9" }, ["9", "20", "", "", "45", "3"], 0],
    ["a page far beyond", { page: "9007199254740991" }, ["9007199254740991", "20", "", "", "45", "3"], 0],
    ["page 0", { page: "0" }, ["1", "20", "", "2", "45", "3"], 20],
    ["page -1", { page: "-1" }, ["1", "20", "", "2", "45", "3"], 20],
    ["empty values", { page: "", per_page: "" }, ["1", "20", "", "2", "45", "3"], 20],
    ["a negative size", { per_page: "-1" }, ["1", "20", "", "2", "45", "3"], 20],
    ["a size over 100", { per_page: "1000" }, ["1", "100", "", "", "45", "1"], 45],
    ["an empty list", { username: "none" }, ["1", "20", "", "", "0", "1"], 0]
  ]
  it.each(rows)("%s", async (_, query, headers, entries) => {
    const received = await list(query)
    expect([received.status, pageHeaders(received), idsOf(received.body).length]).toEqual([200, headers, entries])
  })

  it.each([
    [{ per_page: "0" }, "per_page has a value not allowed"],
    [{ per_page: "x", page: "1.5" }, "page is invalid, per_page is invalid"],
    [{ page: "9007199254740992" }, "page is invalid"]
  ])("%j is refused", async (query, error) => {
    const { body, status } = await list(query)
    expect([status, body]).toEqual([400, { error }])
  })

  it.each(["1000", "-1"])("links keep the requested size %s", async (per_page) => {
    expect(linksOf(await list({ per_page })).first).toContain(`per_page=${per_page}&`)
  })
})

describe("a list of more than 10,000 entries", () => {
  it("tells no totals and has no last page", async () => {
    await fill(10_000)
    const full = await list({})
    await fill(10_001)
    const tooLong = await list({ page: "2" })
    expect([pageHeaders(full), Object.keys(linksOf(full))]).toEqual([
      ["1", "20", "", "2", "10000", "500"],
      ["next", "first", "last"]
    ])
    expect([pageHeaders(tooLong), Object.keys(linksOf(tooLong))]).toEqual([
      ["2", "20", "1", "3", null, null],
      ["prev", "next", "first"]
    ])
  })
})

describe("the address in links", () => {
  const elsewhere = useService({ EXTERNAL_URL: "https://forge.example/" })

  it("is the configured one, whatever Host says", async () => {
    const received = await elsewhere.request("GET", "/users", { headers: { "x-forwarded-host": "evil.example" } })
    expect(linksOf(received).first).toMatch(/^https:\/\/forge\.example\/api\/v4\/users\?/)
  })
})
