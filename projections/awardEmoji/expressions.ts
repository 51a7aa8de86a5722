import type { Awardable } from "#src/awardEmoji/ids.ts"
import type { Reaction } from "#src/awardEmoji/Reaction.ts"
import { all, type Fragment, raw, sql } from "#src/platform/sql/fragment.ts"

/** How many emoji of a name something has whose id is in a column. */
export const votes = (type: Awardable["type"], column: string, name: "thumbsup" | "thumbsdown"): string => `coalesce((
  select _c.total from rm_award_emoji.counts _c where _c.type = '${type}' and _c.awardable_id = ${column} and _c.name = '${name}'), 0)`

/** Whether a user awarded something whose id is in a column. What a user awarded is found by the user. */
export const hasReaction = (type: Awardable["type"], column: string, { by, emoji }: Reaction): Fragment => {
  const found = all(
    sql`_a.user_id = ${by}`,
    raw(`_a.type = '${type}'`),
    typeof emoji === "object" && sql`_a.name = ${emoji.name}`
  )
  const awarded = sql`${raw(column)} in (select _a.awardable_id from rm_award_emoji.awards _a where ${found})`
  return emoji === "none" ? sql`not ${awarded}` : awarded
}
