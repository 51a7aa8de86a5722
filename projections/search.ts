import { any, type Fragment, raw, sql } from "#src/platform/sql/fragment.ts"

/** A shorter word must be the whole text, so that no text has to be searched for it. */
const minWordLength = 3

/** The pattern of SQL's LIKE for texts that hold this one. */
export const likePattern = (word: string): string => `%${word.replace(/[\\%_]/g, (special) => `\\${special}`)}%`

const wordsOf = (query: string): ReadonlyArray<string> => query.toLowerCase().split(/\s+/).filter(Boolean)

/** The words of a query, in lower case, that are looked for inside of texts. */
export const searchedWords = (query: string): ReadonlyArray<string> =>
  wordsOf(query).filter((word) => word.length >= minWordLength)

/** The condition that a text in lower case, a trusted expression, holds every word. */
export const holds = (text: string, words: ReadonlyArray<string>): Fragment => {
  const [first = "", ...others] = words.map(likePattern)
  // Taking the pattern out of an array, for each row, takes as long as looking for it.
  return others.length === 0 ? sql`${raw(text)} like ${first}` : sql`${raw(text)} like all (${[first, ...others]}::text[])`
}

/**
 * The condition that a text holds every word of the query, without regard to case. A query without a word of three
 * characters must be the whole text. `column` is trusted.
 */
export const contains = (column: string, query: string): Fragment => {
  const words = searchedWords(query)
  const text = `lower(${column})`
  return words.length === 0 ? sql`${raw(text)} = ${query.toLowerCase()}` : holds(text, words)
}

/**
 * The condition that one of the columns, which are trusted, holds every word of the query, however short, without regard to case: for
 * lists that are so small that all of their texts may be searched.
 */
export const anyContains = (columns: ReadonlyArray<string>, query: string): Fragment => {
  const words = wordsOf(query)
  return words.length === 0 ? raw("true") : any(...columns.map((column) => holds(`lower(${column})`, words)))
}
