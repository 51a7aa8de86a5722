import { maxOctets } from "#src/http/answer/longLists.ts"
import { type Fragment, raw, sql } from "#src/platform/sql/fragment.ts"

/**
 * A column of texts of a page, under its own name, up to the row where they become too long to be read all at once: what is left out is
 * blank, and not read.
 */
export const shortTexts = (alias: string, column: string, order: Fragment): Fragment => {
  const octets = raw(`coalesce(octet_length(${alias}.${column}), 0)`)
  const sum = sql`sum(${octets}) over (order by ${order} rows unbounded preceding)`
  return sql`${octets} as text_octets, ${sum} > ${raw(String(maxOctets))} as text_is_left_out,
    case when ${sum} > ${raw(String(maxOctets))} then '' else ${raw(`${alias}.${column}`)} end as ${raw(column)}`
}
