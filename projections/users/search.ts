import type { Client } from "#src/platform/sql/Sql.ts"

/** Shorter words find nothing but themselves, so that they need not be looked for inside every text. */
const minWordLength = 3

const likePattern = (word: string): string => `%${word.replace(/[\\%_]/g, (special) => `\\${special}`)}%`

/**
 * The condition that a text holds every word of the query, without regard to case. A query without a word of three
 * characters must be the whole text. `column` is trusted.
 */
export const contains = (sql: Client, column: string, query: string) => {
  const folded = query.toLowerCase()
  const words = folded.split(/\s+/).filter((word) => word.length >= minWordLength)
  const text = sql.unsafe(`lower(${column})`)
  return words.length === 0 ? sql`${text} = ${folded}` : sql`${text} like all (${words.map(likePattern)}::text[])`
}
