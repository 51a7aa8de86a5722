import { all, any, type Fragment, raw, sql } from "#src/platform/sql/fragment.ts"
import { likePattern } from "./search.ts"

/** A shorter word is looked for in no text. */
const minWordLength = 3

/** A phrase in double quotes, between blanks. */
const phrase = /(?<=^| )"([^"]+)"(?= |$)/g

const isLong = (text: string): boolean => text.length >= minWordLength

/** What a search looks for: the words and the quoted phrases of a text, without the short ones. */
const termsOf = (text: string): ReadonlyArray<string> => {
  const phrases = Array.from(text.matchAll(phrase), ([, quoted = ""]) => quoted)
  return [...text.replaceAll(phrase, "").split(" "), ...phrases].filter(isLong)
}

/** Where a search looks. All of it is trusted expressions. */
export interface Searched {
  /** The texts in which it looks. */
  readonly columns: ReadonlyArray<string>
  /** All texts of a row, in lower case, with a line between two of them: an index tells which of them hold something. */
  readonly together: string
}

const equals = (column: string, text: string): Fragment => sql`lower(${raw(column)}) = lower(${text})`

/** A text of its own among those of a row. */
const isLineOf = (together: string, text: string): Fragment => {
  const pattern = likePattern(text).slice(1, -1)
  const line = raw(`${together} like lower(`)
  return any(sql`${line}${`${pattern}\n%`})`, sql`${line}${`%\n${pattern}`})`)
}

/** The planner takes what it knows nothing of for rare; of this it expects half of the rows, so that it does not end with none at all. */
const perhaps = (condition: Fragment): Fragment => sql`coalesce(${condition}, false)`

/** The longest pattern stands alone, because an index knows nothing of lists of patterns. */
const holdsAll = (text: string, patterns: ReadonlyArray<string>): Fragment => {
  const [longest = "", ...others] = patterns.toSorted((one, other) => other.length - one.length)
  const isIn = raw(`${text} like`)
  const lowered = sql`array(select lower(_t) from unnest(${others}::text[]) _t)`
  return all(sql`${isIn} lower(${longest})`, others.length > 0 && perhaps(sql`${isIn} all (${lowered})`))
}

/**
 * The condition that each word and each phrase of the query stands in one of the texts, without regard to case. A query of short words
 * alone must be one of the texts. One of blanks finds all.
 */
export const isFoundIn = ({ columns, together }: Searched, query: string): Fragment => {
  const text = query.trim().split(/\s+/).join(" ")
  if (text === "") return raw("true")
  const patterns = termsOf(text).map(likePattern)
  if (patterns.length === 0) return all(isLineOf(together, text), any(...columns.map((column) => equals(column, text))))
  const [only, ...others] = columns
  const isOnlyThere = others.length === 0 && only !== undefined && perhaps(holdsAll(`lower(${only})`, patterns))
  return all(holdsAll(together, patterns), isOnlyThere)
}
