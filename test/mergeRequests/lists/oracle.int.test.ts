import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { useService } from "#test/support/service.ts"
import { type FilterCase, filtersOf } from "./filters.ts"
import type { SampledRequest } from "./sample.ts"
import { type Caller, callers, makeWorld, type World } from "./world.ts"

const service = useService({ FEATURE_FLAGS: "mr_approved_filter" })
let world: World
beforeAll(async () => {
  world = await makeWorld(service)
})

/** A list, told in both languages. */
interface List extends FilterCase {
  readonly path: string
}

const projectOf = ({ projectId }: SampledRequest) => world.projects.find(({ id }) => id === projectId) ?? expect.unreachable()

const isShown = (caller: Caller) => (request: SampledRequest) => projectOf(request).shownTo.includes(caller)

/** The scope of a list; a list of all merge requests has none for nobody. */
const scopesOf = (caller: Caller, isGlobal: boolean): fc.Arbitrary<FilterCase> => {
  const userId = world.userIdOf(caller)
  const scopes = ["all", "all", "all", "created_by_me", "created-by-me", "assigned_to_me", "assigned-to-me", undefined] as const
  const possible = caller === "anonymous" && isGlobal ? (["all"] as const) : scopes
  return fc.constantFrom(...possible).map((scope) => {
    const effective = scope ?? (isGlobal ? "created_by_me" : "all")
    return {
      parameters: scope === undefined ? [] : [["scope", scope]],
      holds: ({ assigneeIds, authorId }) =>
        effective === "all" ||
        (effective.startsWith("created") ? authorId === userId : userId !== undefined && assigneeIds.includes(userId))
    }
  })
}

const globalList: List = { path: "/merge_requests", parameters: [], holds: () => true }

const projectLists = (caller: Caller): fc.Arbitrary<List> =>
  fc
    .tuple(
      fc.constantFrom(...world.projects.filter(({ shownTo }) => shownTo.includes(caller))),
      fc.option(fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }))
    )
    .map(([{ id }, iids]) => ({
      path: `/projects/${id}/merge_requests`,
      parameters: iids === null ? [] : iids.map((iid) => ["iids[]", String(iid)] as const),
      holds: ({ iid, projectId }) => projectId === id && (iids === null || iids.includes(iid))
    }))

const groupLists = fc.tuple(fc.constantFrom("org", "other" as const), fc.option(fc.boolean())).map(
  ([name, leavesOut]): List => ({
    path: `/groups/${world.groups[name]}/merge_requests`,
    parameters: leavesOut === null ? [] : [["non_archived", String(leavesOut)]],
    holds: (request) => {
      const { group, isArchived } = projectOf(request)
      return (group === name || (name === "org" && group === "sub")) && (leavesOut === false || isArchived !== true)
    }
  })
)

const stored = ["created_at", "updated_at", "title", "merged_at"] as const
const orders = [...stored, "label_priority", "milestone_due", "popularity", "priority"] as const

interface Order {
  readonly by: (typeof orders)[number]
  readonly sort: "asc" | "desc"
  readonly parameters: FilterCase["parameters"]
}

interface AskedOrder {
  readonly by: Order["by"] | undefined
  readonly sort: Order["sort"] | undefined
}

const orderOf = ({ by, sort }: AskedOrder): Order => ({
  by: by ?? "created_at",
  sort: sort ?? "desc",
  parameters: [...(by === undefined ? [] : [["order_by", by] as const]), ...(sort === undefined ? [] : [["sort", sort] as const])]
})

const order = fc
  .record({
    by: fc.constantFrom(...orders, undefined),
    sort: fc.constantFrom("asc", "desc", undefined)
  })
  .map((asked) => ({ inProject: orderOf(asked), elsewhere: orderOf({ ...asked, by: byElsewhere(asked.by) }) }))

/** Labels have priorities in a project. */
const byElsewhere = (by: Order["by"] | undefined) => (by === "label_priority" || by === "priority" ? "milestone_due" : by)
type Key = number | string | null

/** The priority of the most urgent label, but for those with these titles. */
const priorityOf = ({ labels }: SampledRequest, uncounted: ReadonlyArray<string>): number | null => {
  const counted = labels.filter(({ title }) => !uncounted.includes(title)).flatMap(({ priority }) => priority ?? [])
  return counted.length === 0 ? null : Math.min(...counted)
}

/** What a list is ordered by, one after the other. */
const keysOf = (request: SampledRequest, by: Order["by"], uncounted: ReadonlyArray<string>): ReadonlyArray<Key> => {
  const due = request.milestone?.dueDate ?? null
  const keys: Readonly<Record<Order["by"], ReadonlyArray<Key>>> = {
    created_at: [request.createdAt],
    updated_at: [request.updatedAt],
    title: [request.title.toLowerCase()],
    merged_at: [request.mergedAt],
    label_priority: [priorityOf(request, uncounted)],
    milestone_due: [due, request.milestone === null ? null : "undated"],
    popularity: [request.upvotes],
    priority: [due, priorityOf(request, uncounted)]
  }
  return keys[by]
}

/** What has no key comes last, whatever the direction; of what is not merged ids descend then. */
const compare = (one: SampledRequest, other: SampledRequest, { by, sort }: Order, uncounted: ReadonlyArray<string>): number => {
  const direction = sort === "desc" ? -1 : 1
  const others = keysOf(other, by, uncounted)
  for (const [index, a] of keysOf(one, by, uncounted).entries()) {
    const b = others[index] ?? null
    if (a === b) continue
    if (a === null || b === null) return a === null ? 1 : -1
    return (a < b ? -1 : 1) * direction
  }
  return (one.id - other.id) * (by === "merged_at" ? -1 : direction)
}

const page = fc.record({ page: fc.constantFrom(1, 1, 2, 3, 40), perPage: fc.constantFrom(3, 20, 100) })

/** So many filters at a time: mostly few, which leave something to be found. */
const sizes = fc.constantFrom(0, 1, 1, 1, 2, 2, 3, 5)

const lists = fc.constantFrom(...callers).chain((caller) =>
  fc.record({
    caller: fc.constant(caller),
    list: fc.oneof(fc.constant(globalList), fc.constant(globalList), projectLists(caller), groupLists),
    narrowScope: scopesOf(caller, false),
    globalScope: scopesOf(caller, true),
    filters: sizes
      .chain((length) => fc.subarray(Object.entries(filtersOf(world)), { minLength: length, maxLength: length }))
      .chain((chosen) => fc.tuple(...chosen.map(([, filter]) => filter))),
    order,
    page
  })
)

/** Some parameters of a filter may be those of another one: then the first one is asked for. */
const together = (filters: ReadonlyArray<FilterCase>): ReadonlyArray<FilterCase> => {
  const topicOf = (name: string) => name.replace(/_(?:id|username)s?(?:\[\])?(?=\]|$)/, "")
  const topics = new Set<string>()
  return filters.filter(({ parameters }) => {
    const names = parameters.map(([name]) => topicOf(name))
    if (names.some((name) => topics.has(name))) return false
    for (const name of names) topics.add(name)
    return true
  })
}

describe("a list of merge requests", () => {
  it("has those that a plain filter finds, in the order of a plain sort", async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        lists,
        async ({ caller, filters, globalScope, list, narrowScope, order: { elsewhere, inProject }, page: { page, perPage } }) => {
          const order = list.path.startsWith("/projects/") ? inProject : elsewhere
          const filtered = [list, list === globalList ? globalScope : narrowScope, ...together(filters)]
          const uncounted = filtered.flatMap((each: FilterCase) => each.uncounted ?? [])
          const expected = world.requests
            .filter((request) => isShown(caller)(request) && filtered.every(({ holds }) => holds(request)))
            .toSorted((one, other) => compare(one, other, order, uncounted))
          const parameters = [...filtered, order].flatMap((each) => each.parameters)
          const query = [...parameters, ["page", String(page)] as const, ["per_page", String(perPage)] as const]
          const { body, headers, status } = await service.request("GET", list.path, { query, token: world.tokenOf(caller) })
          const ids = [body].flat().map((row) => field(row, "id"))
          const wanted = expected.slice((page - 1) * perPage, page * perPage).map(({ id }) => id)
          expect({ status, ids, total: headers.get("x-total") }).toEqual({
            status: 200,
            ids: wanted,
            total: String(expected.length)
          })
          found += wanted.length
        }
      ),
      { numRuns: 1500 }
    )
    // Filters that find nothing would prove nothing.
    expect(found).toBeGreaterThan(5000)
  })
})
