import { isFoundIn } from "#projections/textSearch.ts"
import type { NamedPerson } from "#src/issuables/Person.ts"
import { type Fragment, none, raw, sql } from "#src/platform/sql/fragment.ts"

/** The id of somebody, an expression. */
export const idOf = (person: NamedPerson): Fragment =>
  "id" in person
    ? sql`${person.id}`
    : sql`(select _u.id from rm_users.users _u where lower(_u.username) = ${person.username.toLowerCase()} limit 1)`

interface Search {
  readonly text: string
  readonly in: ReadonlyArray<"title" | "description">
}

/** Whether subqueries are evaluated for each of few rows, or once for all rows, which they find. */
export type Evaluation = "for each row" | "for all rows"

/** An offset keeps the planner from finding all rows of a subquery first where it is evaluated for each row. */
export const endOf = (evaluation: Evaluation): Fragment => (evaluation === "for all rows" ? none : raw("offset 0"))

/** A table that has rows of issues or merge requests by their keys, and its alias. */
interface Related {
  readonly table: string
  readonly alias: string
}

/** Whether something has a row in a related table on which a condition holds. The alias is that of its own table. */
export const hasRow = (alias: string, { alias: as, table }: Related, condition: Fragment, evaluation: Evaluation): Fragment => {
  const [key, related, from] = [
    raw(`${alias}.project_id, ${alias}.iid`),
    raw(`${as}.project_id, ${as}.iid`),
    raw(`${table} ${as}`)
  ]
  if (evaluation === "for all rows") return sql`(${key}) in (select ${related} from ${from} where ${condition})`
  return sql`exists (select from ${from} where (${related}) = (${key}) and ${condition} ${endOf(evaluation)})`
}

/**
 * Whether a condition that looks into other tables does not hold. The planner would expect nothing at all to lack rows there, and then go
 * through all that do for each project; here it expects half of them.
 */
export const lacks = (condition: Fragment): Fragment => sql`not coalesce(${condition}, false)`

interface Said {
  /** The alias of the table of issues or merge requests, and the table of their texts. */
  readonly alias: string
  readonly texts: string
}

/** The title or description, or either, holds all words and phrases of a text. */
export const isFound = ({ alias, texts }: Said, { in: places, text }: Search, evaluation: Evaluation): Fragment => {
  const holds = isFoundIn({ columns: places.map((place) => `_t.${place}`), together: "_t.search_text" }, text)
  return hasRow(alias, { table: texts, alias: "_t" }, holds, evaluation)
}
