import type { Slice } from "#src/http/answer/pagination.ts"
import { type Fragment, none, raw, slice, sql } from "#src/platform/sql/fragment.ts"

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
  /** Some rows of the table, no more than `limit` says: all that can be found are among them, where they are fewer. */
  readonly few?: ((limit: Fragment) => Fragment) | undefined
  /** What the list is ordered by before the ids. */
  readonly key: Fragment
  /** The joins by which each row gets one more that `key` needs. */
  readonly joined?: Fragment
  /** The order of `key` and `id`. */
  readonly order: Fragment
  /** The columns that are selected, with the alias: those by which a row is found again, the id among them. */
  readonly columns: Fragment
}

/** So many rows are looked at in the order of the list, whatever they are, and for each of the pages before so many times as many as it has. */
const [nearby, lookAhead] = [500, 6]

/** As many rows as a slice and what is before it have. The text is the same for all pages but the first. */
export const first = ({ limit, offset }: Slice): Fragment =>
  offset === 0 ? slice({ limit, offset }) : sql`limit ${limit + offset}`

/** So many rows are soon looked at one by one. */
const maxFew = 5_000

/**
 * A statement that selects something of all rows that are found, if `condition` holds. The planner does not know how many a value leaves, and
 * expects many: so it is asked of the few themselves whether they are few.
 */
const allOf = (
  { alias, few, found, isFound = found, joined = none, table }: Omit<Search, "columns" | "key" | "order" | "ordered">,
  selected: Fragment,
  condition: Fragment
): Fragment => {
  const of = (rows: Fragment, fits: Fragment) => sql`${selected} from ${rows} ${alias} ${joined} where ${fits} offset 0`
  if (few === undefined) return sql`select * from (${of(table, found)}) all_found where ${condition}`
  return sql`
    with few as materialized (${few(raw(`limit ${maxFew + 1}`))})
    select * from (${of(table, found)}) all_found where ${condition} and (select count(*) from few) > ${maxFew}
    union all
    select * from (${of(raw("few"), isFound)}) few_found where ${condition} and (select count(*) from few) <= ${maxFew}`
}

/** A statement with a row for each that is found. */
export const eachFound = (search: Parameters<typeof allOf>[0]): Fragment => {
  const { alias, few, found, table } = search
  if (few === undefined) return sql`select from ${table} ${alias} where ${found}`
  return sql`select from (${allOf(search, raw("select 1"), raw("true"))}) each_found`
}

/**
 * A statement that selects what names the rows of a slice of what is found, in the order of the list. No index has the rows that fit in this order.
 * Where most rows fit, those of a page are soon found in the order of the list; where few do, all of them are soon found by an index
 * of the conditions, and put in order. Nobody knows which it is, the planner least of all: so some are looked at in order first, and if
 * those are too few for the page, all that fit are sorted. What does not fit costs nothing beyond the first rows, however much there is.
 */
export const firstFound = (search: Search, { limit, offset }: Slice): Fragment => {
  const { alias, columns, found, isFound = found, joined = none, key, order, ordered } = search
  const wanted = limit + offset
  const limited = first({ limit, offset })
  const chosen = sql`select ${columns}, ${key} as key`
  const lookedAt = { limit: nearby + 2 * limit, offset: lookAhead * offset }
  return sql`
    with near as materialized (
      ${chosen} from (${ordered(first(lookedAt), lookedAt.limit + lookedAt.offset)}) ${alias} ${joined} where ${isFound}
      order by ${order} ${limited}
    ),
    far as (
      select * from (${allOf(search, chosen, sql`(select count(*) from near) < ${wanted}`)}) far_found order by ${order} ${limited}
    )
    select * from (
      select * from near where (select count(*) from near) = ${wanted} union all select * from far
    ) first_found
    order by ${order} ${slice({ limit, offset })}`
}
