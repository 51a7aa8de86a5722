import { holds, searchedWords } from "#projections/users/search.ts"
import type { Person } from "#src/issuables/Person.ts"
import { type Fragment, sql } from "#src/platform/sql/fragment.ts"

/** The id of somebody, an expression. */
export const idOf = (person: Exclude<Person, string>): Fragment =>
  "id" in person
    ? sql`${person.id}`
    : sql`(select _u.id from rm_users.users _u where lower(_u.username) = ${person.username.toLowerCase()} limit 1)`

interface Search {
  readonly text: string
  readonly in: ReadonlyArray<"title" | "description">
}

/** The title or description, or either, of a row of the table with this alias holds all words of a text. */
export const isFound = (alias: string, { in: places, text }: Search): Fragment => {
  const words = searchedWords(text)
  const wanted = words.length === 0 ? [text.toLowerCase()] : words
  if (places.length === 2) return holds(`${alias}.search_text`, wanted)
  return holds(`lower(${places[0] === "title" ? `${alias}.title` : `coalesce(${alias}.description, '')`})`, wanted)
}
