import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { linkQueryParts } from "#src/http/answer/linkQuery.ts"
import { type Extent, keysetHeaders, pageOf, paginationHeaders, paginationParameters } from "#src/http/answer/pagination.ts"
import { compileParameters } from "#src/http/parameters/decodeParameters.ts"
import type { ParameterTable } from "#src/http/parameters/parameters.ts"
import { parseQuery } from "#src/http/request/queryString.ts"

const table = {
  id: { kind: "string", required: true },
  state: { kind: "string", default: "all" },
  labels: { kind: "stringList" },
  search: { kind: "string" },
  created_after: { kind: "dateTime" },
  ...paginationParameters
} as const satisfies ParameterTable
const decode = compileParameters(table)

const request = { externalUrl: "https://forge.example.com", path: "/api/v4/projects/group%2Fapp/things" }
const base = `${request.externalUrl}${request.path}?id=group%2Fapp`

/** Headers of the list that `raw` asks for. */
const headersOf = (raw: Readonly<Record<string, unknown>>, extent: Extent) =>
  paginationHeaders({ request, table, parameters: Result.getOrThrow(decode({ id: "group/app", ...raw })), ...extent })

const link = (relation: string, page: number, perPage = "20") =>
  `<${base}&page=${page}&per_page=${perPage}&state=all>; rel="${relation}"`

describe("page and per_page", () => {
  test.each([
    [{}, { page: 1, perPage: 20, offset: 0, limit: 20 }],
    [
      { page: "", per_page: "" },
      { page: 1, perPage: 20, offset: 0, limit: 20 }
    ],
    [
      { page: "3", per_page: "7" },
      { page: 3, perPage: 7, offset: 14, limit: 7 }
    ],
    [{ page: "0" }, { page: 1, perPage: 20, offset: 0, limit: 20 }],
    [{ page: "-5" }, { page: 1, perPage: 20, offset: 0, limit: 20 }],
    [{ per_page: "1000" }, { page: 1, perPage: 100, offset: 0, limit: 100 }],
    [{ per_page: "-1" }, { page: 1, perPage: 20, offset: 0, limit: 20 }],
    [
      { page: "9007199254740991", per_page: "9007199254740991" },
      { page: Number.MAX_SAFE_INTEGER, perPage: 100, offset: Number.MAX_SAFE_INTEGER, limit: 100 }
    ]
  ])("%j", (raw, page) => expect(pageOf(Result.getOrThrow(decode({ id: "1", ...raw })))).toStrictEqual(page))

  test.each([
    [{ per_page: "0" }, ["per_page has a value not allowed"]],
    [{ page: "a", per_page: "b" }, ["page is invalid", "per_page is invalid"]],
    [{ page: "1.5" }, ["page is invalid"]],
    [{ per_page: "99999999999999999999" }, ["per_page is invalid"]]
  ])("%j is refused", (raw, texts) => expect(decode({ id: "1", ...raw })).toEqual(Result.fail(texts)))
})

describe("headers", () => {
  test("of an empty list", () => {
    expect(headersOf({}, { total: 0 })).toStrictEqual({
      "x-per-page": "20",
      "x-page": "1",
      "x-next-page": "",
      "x-prev-page": "",
      link: [link("first", 1), link("last", 1)].join(", "),
      "x-total": "0",
      "x-total-pages": "1"
    })
  })

  test("in the middle", () => {
    expect(headersOf({ page: "2" }, { total: 41 })).toStrictEqual({
      "x-per-page": "20",
      "x-page": "2",
      "x-next-page": "3",
      "x-prev-page": "1",
      link: [link("prev", 1), link("next", 3), link("first", 1), link("last", 3)].join(", "),
      "x-total": "41",
      "x-total-pages": "3"
    })
  })

  test("beyond the end", () => {
    expect(headersOf({ page: "9" }, { total: 40 })).toStrictEqual({
      "x-per-page": "20",
      "x-page": "9",
      "x-next-page": "",
      "x-prev-page": "",
      link: [link("first", 1), link("last", 2)].join(", "),
      "x-total": "40",
      "x-total-pages": "2"
    })
  })

  test("links keep the requested size when another is served", () => {
    expect(headersOf({ per_page: "1000" }, { total: 101 })).toStrictEqual({
      "x-per-page": "100",
      "x-page": "1",
      "x-next-page": "2",
      "x-prev-page": "",
      link: [link("next", 2, "1000"), link("first", 1, "1000"), link("last", 2, "1000")].join(", "),
      "x-total": "101",
      "x-total-pages": "2"
    })
    expect(headersOf({ per_page: "-1" }, { total: 20 })).toMatchObject({
      "x-per-page": "20",
      link: [link("first", 1, "-1"), link("last", 1, "-1")].join(", ")
    })
  })

  test("totals up to 10,000 are told", () => {
    expect(headersOf({}, { total: 10_000 })).toMatchObject({ "x-total": "10000", "x-total-pages": "500" })
    expect(headersOf({ page: "2" }, { total: 10_001 })).toStrictEqual({
      "x-per-page": "20",
      "x-page": "2",
      "x-next-page": "3",
      "x-prev-page": "1",
      link: [link("prev", 1), link("next", 3), link("first", 1)].join(", ")
    })
  })

  test("of a list that nobody counts", () => {
    expect(headersOf({ page: "2" }, { hasNext: false })).toStrictEqual({
      "x-per-page": "20",
      "x-page": "2",
      "x-next-page": "",
      "x-prev-page": "1",
      link: [link("prev", 1), link("first", 1)].join(", ")
    })
  })

  test("the links hold all parameters", () => {
    const raw = { labels: "b c,it's!(*)", search: null, created_after: "2024-01-02", private_token: "secret" }
    expect(headersOf(raw, { hasNext: false }).link).toBe(
      `<${request.externalUrl}${request.path}?created_after=2024-01-02T00%3A00%3A00.000Z&id=group%2Fapp&labels%5B%5D=b+c&labels%5B%5D=it%27s%21%28%2A%29&page=1&per_page=20&search=&state=all>; rel="first"`
    )
  })

  test("of a list read from a key on", () => {
    const parameters = Result.getOrThrow(decode({ id: "group/app" }))
    const list = { request, table, parameters }
    expect(keysetHeaders({ ...list, next: undefined })).toStrictEqual({})
    expect(keysetHeaders({ ...list, next: { id_after: 7 } })).toStrictEqual({
      link: `<${base}&id_after=7&page=1&per_page=20&state=all>; rel="next"`
    })
  })
})

describe("laws", () => {
  const pages = fc.record({ page: fc.integer({ min: 1, max: 60 }), per_page: fc.integer({ min: 1, max: 120 }) })

  test("next and prev lead over every page of a list", () => {
    fc.assert(
      fc.property(pages, fc.nat(500), (asked, total) => {
        const { page, perPage } = pageOf(asked)
        const headers = headersOf(asked, { total })
        const last = Math.max(1, Math.ceil(total / perPage))
        expect(headers["x-next-page"]).toBe(page < last ? String(page + 1) : "")
        expect(headers["x-prev-page"]).toBe(page > 1 && page <= last ? String(page - 1) : "")
      })
    )
  })

  test("the query of a link is decoded to the same parameters", () => {
    const hash: ParameterTable = { h: { kind: "hash", fields: { t: { kind: "dateTime" }, s: { kind: "string" } } } }
    const full = compileParameters({ ...table, ...hash })
    const text = fc.string({ unit: "grapheme" })
    const label = fc.stringMatching(/^[a-z!'()*~ü]{1,5}$/)
    const time = fc.date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-30T00:00:00Z"), noInvalidDate: true })
    const raw = fc.record({ id: text, search: text, labels: fc.array(label, { minLength: 1 }), created_after: time, at: time })
    fc.assert(
      fc.property(raw, ({ created_after, at, ...others }) => {
        const times = { created_after: created_after.toISOString(), h: { t: at.toISOString(), s: others.search } }
        const decoded = full({ ...others, ...times })
        if (Result.isFailure(decoded)) return others.search.includes("\0") || others.id.includes("\0")
        const query = linkQueryParts({ ...table, ...hash }, decoded.success, {}).join("&")
        expect(Result.flatMap(parseQuery(query), (again) => Result.mapError(full(again), () => query))).toEqual(decoded)
        return true
      })
    )
  })
})
