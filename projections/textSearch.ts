import { any, type Fragment, raw, sql } from "#src/platform/sql/fragment.ts"
import { likePattern } from "./users/search.ts"

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

/** Texts in which a search looks. All of them are trusted expressions. */
export interface Searched {
  /** Each of the texts. */
  readonly columns: ReadonlyArray<string>
  /** All of them together, in lower case, with a line between them. */
  readonly together: string
}

const equals = (column: string, text: string): Fragment => sql`lower(${raw(column)}) = lower(${text})`

/**
 * The condition that each word and each phrase of the query stands in one of the texts, without regard to case. A query of short words
 * alone must be one of the texts. One of blanks finds all.
 */
export const isFoundIn = ({ columns, together }: Searched, query: string): Fragment => {
  const text = query.trim().split(/\s+/).join(" ")
  if (text === "") return raw("true")
  const [first, ...others] = termsOf(text).map(likePattern)
  if (first === undefined) return any(...columns.map((column) => equals(column, text)))
  // Taking the pattern out of an array, for each row, takes as long as looking for it.
  if (others.length === 0) return sql`${raw(together)} like lower(${first})`
  return sql`${raw(together)} like all (array(select lower(_t) from unnest(${[first, ...others]}::text[]) _t))`
}
