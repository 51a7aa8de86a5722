import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { answerOf, rootToken } from "#test/support/service.ts"
import { useProjects } from "./useProjects.ts"

const { service, addMember, newGroup, newProject, newUser } = useProjects()

const words = ["Alpha", "beta", "Gamma ray", "delta_x", "Über"]
const levels = [0, 10, 30, 50] as const

interface Listed {
  readonly id: number
  readonly name: string
  readonly path: string
  readonly description: string
  readonly visibility: "private" | "internal" | "public"
  readonly archived: boolean
  readonly topics: ReadonlyArray<string>
  readonly issues: boolean
  readonly mergeRequests: boolean
  /** Of the member who asks. */
  readonly level: number
  /** Who has starred it. */
  readonly starrers: ReadonlyArray<string>
  readonly updated_at: string
  readonly last_activity_at: string
}

/** Fixed, so that a query that fails fails again. */
const population = fc.sample(
  fc.record({
    name: fc.constantFrom(...words),
    description: fc.constantFrom("", "about alpha", "100% pure"),
    visibility: fc.constantFrom("private", "internal", "public" as const),
    archived: fc.boolean(),
    topics: fc.subarray(["Go", "ts", "x y"]),
    issues: fc.boolean(),
    mergeRequests: fc.boolean(),
    level: fc.constantFrom(...levels),
    starrers: fc.subarray(["administrator", "member", "external"])
  }),
  { numRuns: 24, seed: 20_241_117 }
)

let all: ReadonlyArray<Listed> = []
const tokens: Record<string, string | null> = { administrator: rootToken, nobody: null }
let group = 0

beforeAll(async () => {
  group = await newGroup("all", { visibility: "public" })
  const { id: member, token } = await newUser("member")
  Object.assign(tokens, { member: token, external: (await newUser("external", { external: true })).token })
  const made: Array<Omit<Listed, "updated_at" | "last_activity_at">> = []
  for (const [index, { level, ...one }] of population.entries()) {
    const [name, path] = [`${one.name} ${index}`, `p-${index}`]
    const { description, issues, mergeRequests, topics, visibility } = one
    const features = { issues_enabled: issues, merge_requests_enabled: mergeRequests }
    const id = await newProject(path, {
      name,
      description,
      visibility,
      topics: topics.join(","),
      namespace_id: group,
      ...features
    })
    if (one.archived) await service.request("POST", `/projects/${id}/archive`)
    if (level > 0) await addMember(`/projects/${id}`, member, level)
    const asked = one.starrers.map((name) => service.request("POST", `/projects/${id}/star`, { token: tokens[name] ?? null }))
    const starrers = one.starrers.filter((name) => isReadable(name as Asker, { ...one, level }))
    expect((await Promise.all(asked)).filter(({ status }) => status === 201)).toHaveLength(starrers.length)
    made.push({ ...one, id, name, path, level, starrers })
  }
  const { body } = await service.request("GET", "/projects", { query: { per_page: "100", sort: "asc" } })
  const times = (body as ReadonlyArray<Listed>).map(({ last_activity_at, updated_at }) => ({ last_activity_at, updated_at }))
  all = made.map((one, index) => ({ ...one, ...(times[index] ?? { last_activity_at: "", updated_at: "" }) }))
})

type Asker = "administrator" | "member" | "external" | "nobody"

interface ListQuery {
  readonly archived?: string
  readonly visibility?: string
  readonly search?: string
  readonly owned?: string
  readonly membership?: string
  readonly starred?: string
  readonly min_access_level?: string
  readonly with_issues_enabled?: string
  readonly with_merge_requests_enabled?: string
  readonly topic?: string
  readonly id_after?: string
  readonly id_before?: string
  readonly updated_after?: string
  readonly updated_before?: string
  readonly last_activity_after?: string
  readonly last_activity_before?: string
  readonly order_by?: string
  readonly sort?: string
}

const roleOf = (asker: Asker, { level }: Pick<Listed, "level">): number => {
  if (asker === "administrator") return 50
  return asker === "member" ? level : 0
}

const isReadable = (asker: Asker, project: Pick<Listed, "level" | "visibility">): boolean => {
  if (asker === "administrator" || project.visibility === "public" || roleOf(asker, project) > 0) return true
  return project.visibility === "internal" && asker === "member"
}

const isFound = ({ description, name, path }: Listed, search: string): boolean => {
  const texts = [name, path, description].map((text) => text.toLowerCase())
  const parts = search.toLowerCase().split(/\s+/)
  const long = parts.filter((part) => part.length >= 3)
  if (long.length === 0) return texts.includes(search.toLowerCase())
  return texts.some((text) => long.every((part) => text.includes(part)))
}

const matches = (asker: Asker, asked: ListQuery, project: Listed): boolean => {
  const role = roleOf(asker, project)
  return (
    isReadable(asker, project) &&
    (asked.archived === undefined || String(project.archived) === asked.archived) &&
    (asked.visibility === undefined || project.visibility === asked.visibility) &&
    (asked.search === undefined || isFound(project, asked.search)) &&
    (asked.owned !== "true" || role >= 50) &&
    (asked.membership !== "true" || role >= 10) &&
    (asked.starred !== "true" || project.starrers.includes(asker)) &&
    (asked.min_access_level === undefined || role >= Number(asked.min_access_level)) &&
    (asked.with_issues_enabled !== "true" || project.issues) &&
    (asked.with_merge_requests_enabled !== "true" || project.mergeRequests) &&
    (asked.updated_after === undefined || project.updated_at >= asked.updated_after) &&
    (asked.updated_before === undefined || project.updated_at <= asked.updated_before) &&
    (asked.last_activity_after === undefined || project.last_activity_at >= asked.last_activity_after) &&
    (asked.last_activity_before === undefined || project.last_activity_at <= asked.last_activity_before) &&
    (asked.topic ?? "")
      .split(",")
      .filter((topic) => topic !== "")
      .every((topic) => project.topics.some((one) => one.toLowerCase() === topic.toLowerCase())) &&
    (asked.id_after === undefined || project.id > Number(asked.id_after)) &&
    (asked.id_before === undefined || project.id < Number(asked.id_before))
  )
}

const keyOf = ({ id, starrers, ...project }: Listed, order: string): string => {
  if (order === "star_count") return String(starrers.length)
  if (order === "updated_at" || order === "last_activity_at") return project[order]
  return order === "name" || order === "path" ? project[order].toLowerCase() : String(id).padStart(9, "0")
}

const expected = (asker: Asker, asked: ListQuery): ReadonlyArray<number> => {
  const order = asked.order_by ?? "created_at"
  const found = all.filter((project) => matches(asker, asked, project))
  const collator = new Intl.Collator("en-US")
  const sorted = found.toSorted((one, other) => collator.compare(keyOf(one, order), keyOf(other, order)) || one.id - other.id)
  return (asked.sort === "asc" ? sorted : sorted.toReversed()).map(({ id }) => id)
}

const flag = fc.constantFrom("true", "false")
const id = fc.nat({ max: 30 }).map(String)
/** That of one of the projects, which are known when the value is read. */
const someTime = (name: "updated_at" | "last_activity_at") => fc.nat({ max: 23 }).map((index) => all[index]?.[name] ?? "")
const queries: fc.Arbitrary<ListQuery> = fc
  .record(
    {
      archived: flag,
      visibility: fc.constantFrom("private", "internal", "public"),
      search: fc.constantFrom("alpha", "ALPHA 1", "p-1", "100%", "delta_x", "über", "pure about", "zz"),
      owned: flag,
      membership: flag,
      starred: flag,
      min_access_level: fc.constantFrom("10", "20", "30", "40", "50"),
      with_issues_enabled: flag,
      with_merge_requests_enabled: flag,
      updated_after: someTime("updated_at"),
      updated_before: someTime("updated_at"),
      last_activity_after: someTime("last_activity_at"),
      last_activity_before: someTime("last_activity_at"),
      topic: fc.constantFrom("go", "TS", "go,ts", "x y", "none", ""),
      id_after: id,
      id_before: id,
      order_by: fc.constantFrom("id", "created_at", "name", "path", "star_count", "updated_at", "last_activity_at"),
      sort: fc.constantFrom("asc", "desc")
    },
    { requiredKeys: [] }
  )
  .map((asked) =>
    asked.updated_after === undefined && asked.updated_before === undefined ? asked : { ...asked, order_by: "updated_at" }
  )

const list = async (asker: Asker, query: object, path = "/projects") => {
  const { body, headers, status } = await service.request("GET", path, {
    token: tokens[asker] ?? null,
    query: { per_page: "100", ...query } as Record<string, string>
  })
  const ids = Array.isArray(body) ? body.map((project: { id: number }) => project.id) : body
  return { status, ids, total: Number(headers.get("x-total")), link: headers.get("link") }
}

describe("GET /projects", () => {
  it("lists what an oracle lists", async () => {
    await fc.assert(
      fc.asyncProperty(queries, fc.constantFrom<Asker>("administrator", "member", "external", "nobody"), async (asked, asker) => {
        // Administrators have no role in what is not theirs: root owns the group of all projects here.
        const ids = expected(asker, asked)
        expect(await list(asker, asked)).toMatchObject({ status: 200, ids, total: ids.length })
      }),
      { numRuns: 150 }
    )
  })

  it("by the time of the last update in that order alone", async () => {
    const message = "400 Bad request - `updated_at` filter and `updated_at` sorting must be paired"
    for (const query of [{ updated_before: "2100-01-01" }, { updated_after: "2000-01-01", order_by: "id" }]) {
      expect(answerOf(await service.request("GET", "/projects", { query }))).toEqual([400, { message }])
    }
  })

  it("by similarity", async () => {
    const [first] = all
    const similar = await list("administrator", { order_by: "similarity", search: first?.name ?? "" })
    expect((similar.ids as ReadonlyArray<number>)[0]).toBe(first?.id)
  })

  it("from key to key those with a star", async () => {
    const starred = all.filter(({ starrers }) => starrers.includes("administrator")).map(({ id: one }) => one)
    const keyset = { starred: "true", pagination: "keyset", order_by: "id", sort: "asc" }
    expect((await list("administrator", keyset)).ids).toEqual(starred)
  })

  it("page by page, and from key to key", async () => {
    const ids = all.map(({ id: one }) => one)
    expect((await list("administrator", { per_page: "5", page: "2", sort: "asc" })).ids).toEqual(ids.slice(5, 10))
    const keyset = { pagination: "keyset", order_by: "id", sort: "asc", per_page: "10" }
    const seen: Array<number> = []
    let url: string | undefined = `${service.url}/api/v4/projects?${new URLSearchParams(keyset)}`
    for (let page = 0; url !== undefined && page < 9; page++) {
      const response: Response = await fetch(url, { headers: { "private-token": rootToken } })
      seen.push(...((await response.json()) as ReadonlyArray<{ id: number }>).map((project) => project.id))
      expect(response.headers.get("x-total")).toBeNull()
      const next: string | undefined = /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1]
      url = next?.replace("https://forge.example.com", service.url)
    }
    expect(seen).toEqual(ids)
    expect((await list("administrator", { page: "501" })).ids).toEqual([])
    const far = await service.request("GET", "/projects", { query: { page: "502", per_page: "100" } })
    expect([far.status, far.body]).toEqual([
      405,
      {
        error:
          "Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type Project. Remaining records can be retrieved using keyset pagination."
      }
    ])
    const refused = await service.request("GET", "/projects", { query: { pagination: "keyset", order_by: "name" } })
    expect([refused.status, refused.body]).toEqual([
      405,
      { error: "Keyset pagination is not yet available for this type of request" }
    ])
  })

  it.each([
    [{ order_by: "x" }, "order_by does not have a valid value"],
    [{ visibility: "x" }, "visibility does not have a valid value"],
    [{ min_access_level: "7" }, "min_access_level does not have a valid value"],
    [{ archived: "maybe", per_page: "0" }, "archived is invalid, per_page has a value not allowed"]
  ])("refuses %j", async (query, error) => {
    const { body, status } = await service.request("GET", "/projects", { query: query as Record<string, string> })
    expect([status, body]).toEqual([400, { error }])
  })
})

describe("GET /groups/:id/projects", () => {
  it("lists those of the group, and those below it when asked", async () => {
    const inner = await newGroup("inner", { parent_id: group, visibility: "public" })
    const below = await newProject("below", { namespace_id: inner, visibility: "public" })
    const lists = async (path: string, query = {}) => (await list("administrator", query, `/groups/${path}/projects`)).ids
    expect(await lists(String(inner))).toEqual([below])
    expect(await lists("all%2Finner")).toEqual([below])
    expect(await lists("all")).toHaveLength(all.length)
    expect(await lists("all", { include_subgroups: "true" })).toHaveLength(all.length + 1)
    expect(await lists("all", { include_subgroups: "true", search: "all/inner", search_namespaces: "true" })).toEqual([below])
    expect((await list("member", { search: "ALL/inner/bel", search_namespaces: "true" })).ids).toEqual([below])
    expect((await list("member", { search: "all/inner" })).ids).toEqual([])
    await newGroup("secret", { visibility: "private" })
    const { body, status } = await service.request("GET", "/groups/secret/projects", { token: null })
    expect([status, body]).toEqual([404, { message: "404 Group Not Found" }])
    await service.request("DELETE", `/projects/${below}`)
  })
})

describe("GET /groups/:id/projects?order_by=similarity", () => {
  it("goes by name where nothing is searched for, and by ids in the direction of the sort where names are equal", async () => {
    const outer = await newGroup("named", { visibility: "public" })
    const made: Array<number> = []
    for (const [path, name] of [
      ["beyond", "Twin"],
      ["between", "Twin"],
      ["before", "Alone"]
    ] as const) {
      const namespace_id = await newGroup(path, { parent_id: outer, visibility: "public" })
      made.push(await newProject(path, { name, namespace_id, visibility: "public" }))
    }
    const [first, second, alone] = made
    const ids = async (query: object) =>
      (await list("nobody", { include_subgroups: "true", ...query }, `/groups/${outer}/projects`)).ids
    expect(await ids({ order_by: "similarity" })).toEqual([alone, second, first])
    expect(await ids({ order_by: "similarity", sort: "asc" })).toEqual([alone, first, second])
    expect(await ids({ order_by: "name" })).toEqual([second, first, alone])
    expect(await ids({ order_by: "name", sort: "asc" })).toEqual([alone, first, second])
    expect((await list("nobody", { order_by: "similarity", id_after: String((first ?? 0) - 1) })).ids).toEqual([
      alone,
      second,
      first
    ])
    for (const id of made) await service.request("DELETE", `/projects/${id}`)
  })
})

describe("GET /projects/:id/forks", () => {
  it("lists the forks that the caller may see", async () => {
    const source = await newProject("source", { visibility: "public" })
    const fork = async (path: string, of: number, visibility: string) => {
      const { body } = await service.request("POST", `/projects/${of}/fork`, { json: { path, name: path, visibility } })
      return (body as { id: number }).id
    }
    const [open, closed] = [await fork("open-fork", source, "public"), await fork("closed-fork", source, "private")]
    await fork("fork-of-fork", open, "public")
    const ids = async (asker: Asker, query = {}) => (await list(asker, query, `/projects/${source}/forks`)).ids
    expect([await ids("administrator"), await ids("nobody")]).toEqual([[closed, open], [open]])
    expect(await ids("administrator", { visibility: "private", simple: "true" })).toEqual([closed])
    expect((await list("nobody", {}, `/projects/${closed}/forks`)).status).toBe(404)
  })
})

describe("GET /users/:user_id/projects", () => {
  it("lists the personal projects of the user that the caller may see", async () => {
    const { id: user, token } = await newUser("somebody")
    const [open, closed] = [await newProject("open", { visibility: "public" }, token), await newProject("closed", {}, token)]
    const ids = async (asker: Asker) => (await list(asker, {}, `/users/${user}/projects`)).ids
    expect([await ids("administrator"), await ids("member"), await ids("nobody")]).toEqual([[closed, open], [open], [open]])
    expect((await list("nobody", {}, "/users/SOMEBODY/projects")).ids).toEqual([open])
    const maintained = (asker: Asker) => list(asker, { min_access_level: "40" }, `/users/${user}/projects`)
    expect((await maintained("administrator")).ids).toEqual(await ids("administrator"))
    const { body, status } = await service.request("GET", "/users/4711/projects")
    expect([status, body]).toEqual([404, { message: "404 User Not Found" }])
  })
})

it("lists of more than ten thousand are read without a total", async () => {
  const id = await newProject("many", { visibility: "public" })
  const copy = `do $$ begin execute (
    select format('insert into rm_projects.projects (id, %1$s) select 1000000 + i, %1$s
      from rm_projects.projects, generate_series(1, 10000) i where id = ${id}', string_agg(column_name, ', '))
    from information_schema.columns where table_schema = 'rm_projects' and table_name = 'projects' and column_name <> 'id' and is_generated = 'NEVER'
  ); end $$`
  await service.run(Sql.use(({ client }) => query(() => client.unsafe(copy))))
  const head = async (asked: Record<string, string>) => {
    const { headers } = await service.request("GET", "/projects", { query: { search: "many", per_page: "100", ...asked } })
    return ["x-total", "x-total-pages", "x-page", "x-next-page", "x-prev-page"].map((name) => headers.get(name))
  }
  expect(await head({ page: "100" })).toEqual([null, null, "100", "101", "99"])
  expect(await head({ page: "101" })).toEqual([null, null, "101", "", "100"])
  expect(await head({ id_after: "1000000" })).toEqual(["10000", "100", "1", "2", ""])
})
