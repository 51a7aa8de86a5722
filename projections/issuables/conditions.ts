import { isFoundIn } from "#projections/textSearch.ts"
import type { NamedPerson } from "#src/issuables/Person.ts"
import { type Fragment, sql } from "#src/platform/sql/fragment.ts"

/** The id of somebody, an expression. */
export const idOf = (person: NamedPerson): Fragment =>
  "id" in person
    ? sql`${person.id}`
    : sql`(select _u.id from rm_users.users _u where lower(_u.username) = ${person.username.toLowerCase()} limit 1)`

interface Search {
  readonly text: string
  readonly in: ReadonlyArray<"title" | "description">
}

/** The title or description, or either, of a row of the table with this alias holds all words and phrases of a text. */
export const isFound = (alias: string, { in: places, text }: Search): Fragment => {
  return isFoundIn({ columns: places.map((place) => `${alias}.${place}`), together: `${alias}.search_text` }, text)
}
