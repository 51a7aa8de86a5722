import { isFoundIn } from "#projections/textSearch.ts"
import type { NamedPerson } from "#src/issuables/Person.ts"
import { all, type Fragment, none, raw, sql } from "#src/platform/sql/fragment.ts"

/** The id of somebody, an expression. */
export const idOf = (person: NamedPerson): Fragment =>
  "id" in person
    ? sql`${person.id}`
    : sql`(select _u.id from rm_users.users _u where lower(_u.username) = ${person.username.toLowerCase()} limit 1)`

/** Whether somebody is there: users that were deleted are not. It is asked once for all rows. */
export const isThere = (person: NamedPerson): Fragment =>
  sql`exists (select from rm_users.users _e where _e.id = ${idOf(person)})`

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

/** So many people are each looked for by themselves: each is a table more for the planner, whose work doubles with it. */
const maxSought = 3

const isSame = (one: NamedPerson, other: NamedPerson): boolean => {
  if ("id" in one) return "id" in other && one.id === other.id
  return "username" in other && one.username.toLowerCase() === other.username.toLowerCase()
}

const distinctOf = (people: ReadonlyArray<NamedPerson>): ReadonlyArray<NamedPerson> =>
  people.length < 2 ? people : people.filter((person, index) => people.findIndex((other) => isSame(person, other)) === index)

/** The ids of those who are there, an expression that is an array. */
const idsOf = (people: ReadonlyArray<NamedPerson>): Fragment => {
  const ids = people.flatMap((person) => ("id" in person ? [person.id] : []))
  const names = people.flatMap((person) => ("id" in person ? [] : [person.username.toLowerCase()]))
  return sql`array(select unnest(${ids}::bigint[])
    union select _u.id from rm_users.users _u where lower(_u.username) = any(${names}::text[]))`
}

/** Whether something has rows of all these people in a related table, `among` those on which a condition holds. */
export const hasRowsOfAll = (
  alias: string,
  related: Related,
  { among, people }: { readonly among: Fragment; readonly people: ReadonlyArray<NamedPerson> },
  evaluation: Evaluation
): Fragment => {
  const userId = raw(`${related.alias}.user_id`)
  const distinct = distinctOf(people)
  if (distinct.length <= maxSought)
    return all(...distinct.map((person) => hasRow(alias, related, all(sql`${userId} = ${idOf(person)}`, among), evaluation)))
  const [key, theirs, from] = [
    raw(`${alias}.project_id, ${alias}.iid`),
    raw(`${related.alias}.project_id, ${related.alias}.iid`),
    raw(`${related.table} ${related.alias}`)
  ]
  const isTheirs = all(sql`${userId} = any(${idsOf(distinct)})`, among)
  if (evaluation === "for all rows")
    return sql`(${key}) in (
      select ${theirs} from ${from} where ${isTheirs} group by ${theirs} having count(distinct ${userId}) = ${distinct.length})`
  return sql`(select count(distinct ${userId}) from ${from} where (${theirs}) = (${key}) and ${isTheirs}) = ${distinct.length}`
}

/** Whether something has a row of one of these people in a related table, `among` those on which a condition holds. */
export const hasRowOfAny = (
  alias: string,
  related: Related,
  { among, people }: { readonly among: Fragment; readonly people: ReadonlyArray<NamedPerson> },
  evaluation: Evaluation
): Fragment => {
  const [only, ...others] = people
  const isIt = only !== undefined && others.length === 0 ? sql`= ${idOf(only)}` : sql`= any(${idsOf(people)})`
  return hasRow(alias, related, all(sql`${raw(`${related.alias}.user_id`)} ${isIt}`, among), evaluation)
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
