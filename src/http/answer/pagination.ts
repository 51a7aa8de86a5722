import type { ParameterTable } from "../parameters/parameters.ts"
import type { RawParameters } from "../parameters/rawParameters.ts"
import { WireError } from "./errors.ts"
import { linkQueryParts } from "./linkQuery.ts"

/** What `paginated` adds to an endpoint's table. */
export const paginationParameters = {
  page: { kind: "integer", default: 1, description: "Number of the page, from 1" },
  per_page: { kind: "integer", default: 20, forbidden: [0], description: "Entries on a page, at most 100" }
} as const satisfies ParameterTable

const [defaultPerPage, maxPerPage] = [20, 100]

/** A part of a list. */
export interface Slice {
  /** The number of entries to read. */
  readonly limit: number
  /** The number of entries before it. */
  readonly offset: number
}

/** A slice of `perPage` entries. */
export interface Page extends Slice {
  readonly page: number
  readonly perPage: number
}

const integerOr = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise)

/** The page that validated parameters ask for: pages begin at 1, sizes below 1 are the default, sizes above 100 are 100. */
export const pageOf = (parameters: RawParameters): Page => {
  const page = Math.max(1, integerOr(parameters.page, 1))
  const requested = integerOr(parameters.per_page, defaultPerPage)
  const perPage = requested < 1 ? defaultPerPage : Math.min(requested, maxPerPage)
  return { page, perPage, offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER), limit: perPage }
}

/** A page of a list with keyset pagination may have at most this many entries before it. */
export const maxOffset = 50_000

/** The refusal of a page beyond `maxOffset`; `type` is what the reference calls an entry. */
export const offsetTooGreat = (type: "Group" | "Project"): WireError =>
  new WireError({
    status: 405,
    body: {
      error: `Offset pagination has a maximum allowed offset of ${maxOffset} for requests that return objects of type ${type}. Remaining records can be retrieved using keyset pagination.`
    }
  })

/** The refusal of pages from a key on, in an order of which there are none. */
export const keysetUnavailable = new WireError({
  status: 405,
  body: { error: "Keyset pagination is not yet available for this type of request" }
})

/** The entries of a whole list on the page that validated parameters ask for. */
export const pageIn = <A>(all: ReadonlyArray<A>, parameters: RawParameters): ReadonlyArray<A> => {
  const { limit, offset } = pageOf(parameters)
  return all.slice(offset, offset + limit)
}

/** How many entries a list has in all; or, where nobody counts them, whether there are some after this page. */
export type Extent = { readonly total: number } | { readonly hasNext: boolean }

/** The rows of a page, and how long the list is. */
export interface Listed<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly extent: Extent
}

interface ListAnswer {
  readonly request: { readonly externalUrl: string; readonly path: string }
  readonly table: ParameterTable
  /** Validated, with the requested `per_page`: links repeat it even where another size was served. */
  readonly parameters: RawParameters
}

/** The totals of longer lists are not answered. */
export const maxShownTotal = 10_000

/** The headers of a list that is read page by page. */
export const paginationHeaders = (list: ListAnswer & Extent): Readonly<Record<string, string>> => {
  const { page, perPage } = pageOf(list.parameters)
  const total = "total" in list ? list.total : undefined
  const pages = total === undefined ? undefined : Math.max(1, Math.ceil(total / perPage))
  const hasNext = "hasNext" in list ? list.hasNext : pages !== undefined && page < pages
  const next = hasNext ? page + 1 : undefined
  const previous = page === 1 || (pages !== undefined && page > pages) ? undefined : page - 1
  const showsTotal = total !== undefined && pages !== undefined && total <= maxShownTotal
  return {
    "x-per-page": String(perPage),
    "x-page": String(page),
    "x-next-page": String(next ?? ""),
    "x-prev-page": String(previous ?? ""),
    link: links(list, { prev: previous, next, first: 1, last: showsTotal ? pages : undefined }),
    ...(showsTotal && { "x-total": String(total), "x-total-pages": String(pages) })
  }
}

/**
 * The header of a list that is read from a key on. `next` are the parameters that lead to the following page, such as
 * `{ id_after: 7 }`; absent on the last one.
 */
export const keysetHeaders = (
  list: ListAnswer & { readonly next: Readonly<Record<string, string | number>> | undefined }
): Readonly<Record<string, string>> => {
  if (list.next === undefined) return {}
  return { link: link(list, linkQueryParts(list.table, list.parameters, list.next).join("&"), "next") }
}

const links = (list: ListAnswer, pages: Readonly<Record<string, number | undefined>>): string => {
  const perPage = integerOr(list.parameters.per_page, defaultPerPage)
  const parts = linkQueryParts(list.table, list.parameters, { per_page: perPage, page: "" })
  const position = parts.indexOf("page=")
  const queryOf = (page: number) => parts.with(position, `page=${page}`).join("&")
  return Object.entries(pages)
    .flatMap(([relation, page]) => (page === undefined ? [] : [link(list, queryOf(page), relation)]))
    .join(", ")
}

const link = ({ request }: ListAnswer, query: string, relation: string): string =>
  `<${request.externalUrl}${request.path}?${query}>; rel="${relation}"`
