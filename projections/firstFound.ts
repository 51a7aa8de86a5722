import type { Slice } from "#src/http/answer/pagination.ts"
import { type Fragment, none, slice, sql } from "#src/platform/sql/fragment.ts"

/** What is looked for in a table, whose rows have the column `id`. */
export interface Search {
  readonly table: Fragment
  /** What the table is called in `found` and `key`. */
  readonly alias: Fragment
  /** The conditions on its rows, in the form that finds rows among all, and in the one that is asked of few, one by one. */
  readonly found: Fragment
  readonly isFound?: Fragment
  /** So many rows of the table, the first of all in the order of the list, as indexes have them: `limit` says `most`. */
  readonly ordered: (limit: Fragment, most: number) => Fragment
  /** What the list is ordered by before the ids. */
  readonly key: Fragment
  /** The joins by which each row gets one more that `key` needs. */
  readonly joined?: Fragment
  /** The order of `key` and `id`. */
  readonly order: Fragment
  /** The columns that are selected, with the alias: those by which a row is found again, the id among them. */
  readonly columns: Fragment
}

/** So many rows are looked at in the order of the list, whatever they are. */
const nearby = 500

/** As many rows as a slice and what is before it have. The text is the same for all pages but the first. */
export const first = ({ limit, offset }: Slice): Fragment =>
  offset === 0 ? slice({ limit, offset }) : sql`limit ${limit + offset}`

/**
 * A statement that selects what names the rows of a slice of what is found, in the order of the list. No index has the rows that fit in this order.
 * Where most rows fit, those of a page are soon found in the order of the list; where few do, all of them are soon found by an index
 * of the conditions, and put in order. Nobody knows which it is, the planner least of all: so some are looked at in order first, and if
 * those are too few for the page, all that fit are sorted. What does not fit costs nothing beyond the first rows, however much there is.
 */
export const firstFound = (search: Search, { limit, offset }: Slice): Fragment => {
  const { alias, columns, found, isFound = found, joined = none, key, order, ordered, table } = search
  const wanted = limit + offset
  const limited = first({ limit, offset })
  const chosen = sql`select ${columns}, ${key} as key`
  const lookedAt = { limit: nearby + 2 * limit, offset: 2 * offset }
  return sql`
    with near as materialized (
      ${chosen} from (${ordered(first(lookedAt), lookedAt.limit + lookedAt.offset)}) ${alias} ${joined} where ${isFound}
      order by ${order} ${limited}
    ),
    far as (
      select * from (${chosen} from ${table} ${alias} ${joined} where ${found} offset 0) all_found
      where (select count(*) from near) < ${wanted}
      order by ${order} ${limited}
    )
    select * from (
      select * from near where (select count(*) from near) = ${wanted} union all select * from far
    ) first_found
    order by ${order} ${slice({ limit, offset })}`
}
