import { isFoundIn } from "#projections/textSearch.ts"
import type { NamedPerson } from "#src/issuables/Person.ts"
import { type Fragment, raw, sql } from "#src/platform/sql/fragment.ts"

/** The id of somebody, an expression. */
export const idOf = (person: NamedPerson): Fragment =>
  "id" in person
    ? sql`${person.id}`
    : sql`(select _u.id from rm_users.users _u where lower(_u.username) = ${person.username.toLowerCase()} limit 1)`

interface Search {
  readonly text: string
  readonly in: ReadonlyArray<"title" | "description">
}

/** Whether conditions are asked of few rows, one by one, or find rows among all. */
export type Asked = "one by one" | "of all"

interface Said {
  /** The alias of the table of issues or merge requests, and the table of their texts. */
  readonly alias: string
  readonly texts: string
}

/** The title or description, or either, holds all words and phrases of a text. */
export const isFound = ({ alias, texts }: Said, { in: places, text }: Search, asked: Asked): Fragment => {
  const holds = isFoundIn({ columns: places.map((place) => `_t.${place}`), together: "_t.search_text" }, text)
  const key = raw(`${alias}.project_id, ${alias}.iid`)
  if (asked === "of all") return sql`(${key}) in (select _t.project_id, _t.iid from ${raw(texts)} _t where ${holds})`
  // The offset keeps the planner from finding all texts first.
  return sql`exists (select from ${raw(texts)} _t where (_t.project_id, _t.iid) = (${key}) and ${holds} offset 0)`
}
