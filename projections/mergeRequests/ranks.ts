import { type Fragment, raw, sql } from "#src/platform/sql/fragment.ts"
import { directionOf, dueOf, keyOf, type Ranked } from "./order.ts"

// Ranks are of few things that many merge requests have, such as milestones. So the first of a list are found from these, whose order indexes have.

/** A statement that has keys and ids in the order of a list, `direction`. Where the key is not that of a merge request, another one finds it. */
type Part = (list: Ranked, direction: string) => string

const byMilestone: Part = (list, direction) => `
  select ${dueOf(list)} as key, m.id
  from rm_milestones.milestones _d join rm_merge_requests.merge_requests m on m.milestone_id = _d.id
  order by _d.due_date ${direction} nulls last, m.id ${direction}`

const byVotes: Part = (_, direction) => `
  select _c.total as key, _c.awardable_id as id from rm_award_emoji.counts _c
  where _c.type = 'MergeRequest' and _c.name = 'thumbsup' and _c.total > 0
  order by _c.total ${direction}, _c.awardable_id ${direction}`

/** All of them, with the key of those that have no rank. */
const byId =
  (keyOfNone: "0" | "null"): Part =>
  (_, direction) =>
    `select ${keyOfNone}::bigint as key, m.id from rm_merge_requests.merge_requests m order by m.id ${direction}`

/** What follows one upon the other in a list over projects. Lists of a project are sorted as a whole. */
const parts: Readonly<Record<Ranked["order"]["by"], (list: Ranked) => readonly [Part, Part]>> = {
  milestone_due: () => [byMilestone, byId("null")],
  popularity: ({ order }) => (order.descending ? [byVotes, byId("0")] : [byId("0"), byVotes])
}

/** The first merge requests of all in an order by ranks: at most `most` of a part, as `limit` says, and of the second one where the first has fewer. */
export const firstRanked = (list: Ranked, limit: Fragment, most: number): Fragment => {
  const [byRank, byOther] = parts[list.order.by](list)
  const [first, second] = [raw(byRank(list, directionOf(list))), raw(byOther(list, directionOf(list)))]
  // The planner would expect next to no keys to be equal; here it expects half of them to be.
  return sql`select m.* from (
      with first as materialized (${first} ${limit}), second as materialized (
        select * from (${second} ${limit}) _second where (select count(*) from first) < ${most}
      )
      select distinct key, id from (select key, id from first union all select key, id from second) _found
    ) _first cross join lateral (select * from rm_merge_requests.merge_requests _m where _m.id = _first.id limit 1) m
    where not coalesce(_first.key is distinct from ${keyOf(list)}, false)`
}
