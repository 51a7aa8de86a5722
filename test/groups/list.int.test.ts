import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import type { Somebody } from "#test/support/people/everybody.ts"
import type { Received } from "#test/support/service.ts"
import { type Asker, expectedIds, type KnownGroup, type ListQuery } from "./listOracle.ts"
import { useGroups } from "./useGroups.ts"

const { service, as, create, join, userId } = useGroups()

const askers = ["anonymous", "outsider", "external", "guest", "owner", "administrator"] as const
const askerOf = (person: Somebody): Asker => ({
  name: person === "anonymous" ? undefined : person,
  isAdministrator: person === "administrator",
  isExternal: person === "external"
})

interface Place {
  readonly name?: string
  readonly parent?: string
  readonly members?: Partial<Record<Somebody, number>>
}

const groups: Array<KnownGroup> = []
const make = async (
  path: string,
  visibility: KnownGroup["visibility"],
  { name = `Team ${path}`, parent, members = {} }: Place = {}
) => {
  const above = groups.find((group) => group.path === parent)
  const id = await create(path, { name, visibility, parent_id: above?.id })
  for (const [person, level] of Object.entries(members)) {
    await join(id, userId(askers.find((each) => each === person) ?? "guest"), level)
  }
  groups.push({ id, name, path, parentId: above?.id ?? null, visibility, members })
}

beforeAll(async () => {
  await make("alpha", "public", { members: { owner: 50 } })
  await make("alpha-internal", "internal", { parent: "alpha" })
  await make("alpha-private", "private", { parent: "alpha", members: { guest: 10 } })
  await make("alpha-deep", "private", { parent: "alpha-private" })
  await make("beta", "internal", { members: { external: 20 } })
  await make("gamma", "private")
  await make("gamma-inner", "private", { parent: "gamma" })
  await make("gamma-core", "private", { parent: "gamma-inner", members: { guest: 40, external: 50 } })
  await make("gamma-other", "private", { parent: "gamma" })
  await make("delta", "public")
  await make("second", "public", { name: "Team twin", parent: "alpha" })
  await make("first", "public", { name: "Team twin", parent: "alpha" })
})

const asked: fc.Arbitrary<ListQuery> = fc.record(
  {
    search: fc.constantFrom(
      ...["alpha", "TEAM", "inner", "none", "alpha/alpha-", "GAMMA/gamma-inner/gamma-c", "private team", "team gamma / team"],
      ...["ma/ga", "delta", "b", "/"]
    ),
    owned: fc.boolean(),
    visibility: fc.constantFrom("private", "internal", "public"),
    min_access_level: fc.constantFrom(10, 30, 50),
    all_available: fc.boolean(),
    order_by: fc.constantFrom("name", "path", "id"),
    sort: fc.constantFrom("asc", "desc")
  },
  { requiredKeys: [] }
)

const idsOf = async (person: Somebody, path: string, input: ListQuery) => {
  const query = Object.entries({ ...input, per_page: 100 }).map(([name, value]) => [name, String(value)] as const)
  const { body, headers } = await service.request("GET", path, as(person, { query }))
  const ids = Array.isArray(body) ? body.map(({ id }) => id) : body
  expect(headers.get("x-total")).toBe(String(Array.isArray(ids) ? ids.length : 0))
  return ids
}

describe.each(askers)("lists of groups, asked by %s", (person) => {
  it("answer like a plain filter", async () => {
    const inputs = fc
      .tuple(asked, fc.boolean(), fc.boolean())
      .map(([input, top_level_only, skips]) => ({ input, top_level_only, skips }))
    await fc.assert(
      fc.asyncProperty(inputs, async ({ input, top_level_only, skips }) => {
        const whole: ListQuery = {
          ...input,
          top_level_only,
          ...(skips ? { skip_groups: groups.slice(0, 3).map(({ id }) => id) } : {})
        }
        expect(await idsOf(person, "/groups", whole)).toEqual(expectedIds(groups, askerOf(person), whole))
      }),
      { numRuns: 25 }
    )
  })

  it("below a group too", async () => {
    await fc.assert(
      fc.asyncProperty(asked, fc.boolean(), async (input, deep) => {
        const id = groups[0]?.id ?? 0
        const path = `/groups/${id}/${deep ? "descendant_groups" : "subgroups"}`
        expect(await idsOf(person, path, input)).toEqual(expectedIds(groups, askerOf(person), input, { id, deep }))
      }),
      { numRuns: 15 }
    )
  })
})

describe("groups below a public one", () => {
  const below = (person: Somebody, list: "subgroups" | "descendant_groups", query: Readonly<Record<string, string>> = {}) =>
    service.request("GET", `/groups/alpha/${list}`, as(person, { query }))
  const pathsOf = ({ body }: Received) => (Array.isArray(body) ? body.map(({ path }) => path) : body)
  const open = ["alpha-internal", "second", "first"]

  it.each(["subgroups", "descendant_groups"] as const)("are those with a part of the user (%s)", async (list) => {
    const all = list === "subgroups" ? [] : ["alpha-deep"]
    expect(pathsOf(await below("outsider", list))).toEqual([])
    expect(pathsOf(await below("outsider", list, { all_available: "true" }))).toEqual(open)
    expect(pathsOf(await below("guest", list))).toEqual([...all, "alpha-private"])
    expect(pathsOf(await below("owner", list))).toEqual([...all, "alpha-internal", "alpha-private", "second", "first"])
    expect(pathsOf(await below("anonymous", list))).toEqual(["second", "first"])
    expect(pathsOf(await below("administrator", list))).toEqual([...all, "alpha-internal", "alpha-private", "second", "first"])
    expect(pathsOf(await below("administrator", list, { all_available: "false" }))).toEqual([])
  })
})

describe("GET /groups?search=", () => {
  const found = async (search: string) => {
    const paths = await idsOf("administrator", "/groups", { search })
    return groups.filter(({ id }) => Array.isArray(paths) && paths.includes(id)).map(({ path }) => path)
  }

  it.each([
    ["gamma/gamma-inner", ["gamma-inner", "gamma-core"]],
    ["Team gamma / Team gamma-in", ["gamma-inner", "gamma-core"]],
    ["gamma-inner", ["gamma-inner", "gamma-core"]],
    ["a/ga", ["gamma-inner", "gamma-core", "gamma-other"]],
    ["gamma-core", ["gamma-core"]],
    ["gamma//gamma-inner", []]
  ])("%s looks at whole paths and names", async (search, expected) => {
    expect(await found(search)).toEqual(expected)
  })
})

describe("GET /groups?pagination=keyset", () => {
  /** The ids of every page, by following the links. */
  const allPages = async (person: Somebody, input: ListQuery) => {
    const query = { ...input, pagination: "keyset", per_page: 3 }
    const pages: Array<ReadonlyArray<unknown>> = []
    let path: string | undefined =
      `/groups?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]))}`
    while (path !== undefined && pages.length < 9) {
      const { body, headers } = await service.request("GET", path, as(person))
      pages.push(Array.isArray(body) ? body.map(({ id }) => id) : [body])
      expect(["x-total", "x-page", "x-next-page", "x-per-page"].map((name) => headers.get(name))).toEqual([
        null,
        null,
        null,
        null
      ])
      path = /^<[^>]*\/api\/v4(\/groups[^>]*)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1]
    }
    return pages
  }
  const orders = (["name", "path", "id"] as const).flatMap((order_by) =>
    (["asc", "desc"] as const).map((sort) => ({ order_by, sort }))
  )

  it.each(orders)("goes from key to key by %o", async (order) => {
    for (const person of ["anonymous", "guest", "administrator"] as const) {
      const expected = expectedIds(groups, askerOf(person), order)
      const pages = await allPages(person, order)
      expect(pages.flat()).toEqual(expected)
      expect(pages.map(({ length }) => length).slice(0, -1)).toEqual(
        Array.from({ length: Math.ceil(expected.length / 3) - 1 }, () => 3)
      )
    }
  })

  it("goes on where it was when groups come in front of it", async () => {
    const query = { pagination: "keyset", per_page: "2", search: "alpha" }
    const first = await service.request("GET", "/groups", { query })
    const next = /<[^>]*(\/groups[^>]*)>/.exec(first.headers.get("link") ?? "")?.[1] ?? ""
    const id = await create("aaa-alpha", { name: "Aaa" })
    const { body } = await service.request("GET", next)
    expect(Array.isArray(body) ? body.map(({ path }) => path) : body).toEqual(["alpha-internal", "alpha-private"])
    await service.request("DELETE", `/groups/${id}`)
  })

  it.each([
    ["order_by=similarity&search=alpha", 405, "Keyset pagination is not yet available for this type of request"],
    ["cursor=nothing", 400, "cursor is invalid"],
    ["pagination=x", 400, "pagination does not have a valid value"]
  ])("refuses %s", async (query, status, error) => {
    expect(await service.request("GET", `/groups?pagination=keyset&${query}`)).toMatchObject({ status, body: { error } })
  })
})

describe("GET /groups", () => {
  const paths = async (query: Readonly<Record<string, string>>) => {
    const { body } = await service.request("GET", "/groups", { query })
    return Array.isArray(body) ? body.map(({ path }) => path) : body
  }

  it("is ordered by how well the name fits", async () => {
    const fitting = await paths({ search: "gamma", order_by: "similarity" })
    expect(fitting).toEqual(["gamma", "gamma-core", "gamma-inner", "gamma-other"])
  })

  it.each(["asc", "desc"] as const)("is ordered by name (%s) where it cannot be by what fits", async (sort) => {
    const asked = { order_by: "similarity", sort }
    const byName = groups.toSorted((one, other) => (one.name === other.name ? one.id - other.id : one.name < other.name ? -1 : 1))
    expect(await paths(asked)).toEqual((sort === "asc" ? byName : byName.toReversed()).map(({ path }) => path))
    expect(await paths({ ...asked, pagination: "keyset" })).toEqual(await paths(asked))
  })

  it("finds short words only as a whole", async () => {
    expect(await paths({ search: "ga" })).toEqual([])
  })

  it("is paged", async () => {
    const { body, headers } = await service.request("GET", "/groups", { query: { per_page: "4", page: "2" } })
    expect(Array.isArray(body) ? body.length : 0).toBe(4)
    expect([headers.get("x-total"), headers.get("x-next-page"), headers.get("x-prev-page")]).toEqual(["12", "3", "1"])
  })

  it.each([
    ["visibility=secret", "visibility does not have a valid value"],
    ["order_by=x&sort=y", "order_by does not have a valid value, sort does not have a valid value"],
    ["min_access_level=7", "min_access_level does not have a valid value"],
    ["owned=maybe", "owned is invalid"]
  ])("refuses %s", async (query, error) => {
    expect(await service.request("GET", `/groups?${query}`)).toMatchObject({ status: 400, body: { error } })
  })
})

it("a page far from the first is for signed-in callers", async () => {
  const far = { page: "502", per_page: "100" }
  expect(await service.request("GET", "/groups", { query: far, token: null })).toMatchObject({
    status: 405,
    body: {
      error:
        "Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type Group. Remaining records can be retrieved using keyset pagination."
    }
  })
  const nearer = { ...far, page: "501" }
  expect(await service.request("GET", "/groups", { query: nearer, token: null })).toMatchObject({ status: 200, body: [] })
  expect(await service.request("GET", "/groups", { query: far })).toMatchObject({ status: 200, body: [] })
})
