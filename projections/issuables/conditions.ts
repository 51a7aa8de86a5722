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

/** The key of what is looked for, the same key in a related table, and that table. */
const joinOf = (alias: string, { alias: as, table }: Related) => ({
  key: raw(`${alias}.project_id, ${alias}.iid`),
  related: raw(`${as}.project_id, ${as}.iid`),
  from: raw(`${table} ${as}`)
})

/** Whether something has a row in a related table on which a condition holds. The alias is that of its own table. */
export const hasRow = (alias: string, table: Related, condition: Fragment, evaluation: Evaluation): Fragment => {
  const { from, key, related } = joinOf(alias, table)
  if (evaluation === "for all rows") return sql`(${key}) in (select ${related} from ${from} where ${condition})`
  return sql`exists (select from ${from} where (${related}) = (${key}) and ${condition} ${endOf(evaluation)})`
}

/** A related table with a row for each user, or that part of it on which a condition holds. */
interface Users extends Related {
  readonly among?: Fragment
}

/** So many people are each looked for by themselves: each is a table more for the planner, whose work doubles with it. */
const maxSought = 3

const nameOf = (person: NamedPerson): number | string => ("id" in person ? person.id : person.username.toLowerCase())

const distinct = (people: ReadonlyArray<NamedPerson>): ReadonlyArray<NamedPerson> => [
  ...new Map(people.map((person) => [nameOf(person), person])).values()
]

/** The ids of those who are there, an expression that is an array. */
const idsOf = (people: ReadonlyArray<NamedPerson>): Fragment => {
  const named = people.map(nameOf)
  const [ids, names] = [named.filter((name) => typeof name === "number"), named.filter((name) => typeof name === "string")]
  return sql`array(select unnest(${ids}::bigint[])
    union select _u.id from rm_users.users _u where lower(_u.username) = any(${names}::text[]))`
}

/** The rows of some people. */
const areTheirs = ({ alias, among }: Users, people: ReadonlyArray<NamedPerson>): Fragment => {
  const [only, ...others] = people
  const isOne = only !== undefined && others.length === 0 ? sql`= ${idOf(only)}` : sql`= any(${idsOf(people)})`
  return all(sql`${raw(`${alias}.user_id`)} ${isOne}`, among ?? false)
}

/** Whether something has a row of one of these people in a related table. */
export const hasRowOfAny = (alias: string, users: Users, people: ReadonlyArray<NamedPerson>, evaluation: Evaluation): Fragment =>
  hasRow(alias, users, areTheirs(users, people), evaluation)

/** Whether something has rows of all these people in a related table. */
export const hasRowsOfAll = (
  alias: string,
  users: Users,
  people: ReadonlyArray<NamedPerson>,
  evaluation: Evaluation
): Fragment => {
  const sought = distinct(people)
  if (sought.length <= maxSought) return all(...sought.map((person) => hasRowOfAny(alias, users, [person], evaluation)))
  const { from, key, related } = joinOf(alias, users)
  const [condition, count] = [areTheirs(users, sought), raw(`count(distinct ${users.alias}.user_id)`)]
  if (evaluation === "for all rows")
    return sql`(${key}) in (select ${related} from ${from} where ${condition} group by ${related} having ${count} = ${sought.length})`
  return sql`(select ${count} from ${from} where (${related}) = (${key}) and ${condition}) = ${sought.length}`
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
