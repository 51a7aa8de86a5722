import { Effect } from "effect"
import { type Listed, maxShownTotal, type Slice } from "#src/http/answer/pagination.ts"
import { type Fragment, select, slice, sql } from "#src/platform/sql/fragment.ts"
import type { Client } from "#src/platform/sql/Sql.ts"

/** The statements of a list: of the rows of a slice, and of what is counted, which selects a row for each entry of the list. */
export interface Listing {
  readonly rows: (slice: Slice) => Fragment
  readonly counted: Fragment
}

/** Entries beyond these are not counted: answers tell no greater total. */
export const maxCounted = maxShownTotal + 1

/**
 * The rows of a page, and the extent of the list. At the same time its entries are counted, but no more than answers tell: of a longer
 * list, one row more than the page has tells whether there is a next one.
 */
export const selectListed = Effect.fnUntraced(function* <Row extends object>(
  client: Client,
  { counted, rows }: Listing,
  { limit, offset }: Slice
): Effect.fn.Return<Listed<Row>> {
  const count = sql`select count(*) as total from (${counted} ${slice({ limit: maxCounted, offset: 0 })}) counted`
  const [found, [{ total } = { total: 0 }]] = yield* Effect.all(
    [select<Row>(client, rows({ limit: limit + 1, offset })), select<{ readonly total: number }>(client, count)],
    { concurrency: 2 }
  )
  return { rows: found.slice(0, limit), extent: total > maxShownTotal ? { hasNext: found.length > limit } : { total } }
})
