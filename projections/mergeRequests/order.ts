import { votes } from "#projections/awardEmoji/expressions.ts"
import type { MergeRequestFilter } from "#src/mergeRequests/Queries.ts"
import { type Fragment, none, raw, sql } from "#src/platform/sql/fragment.ts"

type Order = MergeRequestFilter["order"]
type Stored = "created_at" | "merged_at" | "title" | "updated_at"

/** Orders by what many rows share, which stands in other tables: in columns of theirs, one change of it would change many rows. */
type Rank = "milestone_due" | "popularity"

/** A list, as far as its order depends on it: labels that are asked for do not count for the priority. */
type Ordered = Pick<MergeRequestFilter, "labels" | "order">

/** One in an order by ranks. */
export interface Ranked extends Ordered {
  readonly order: Order & { readonly by: Rank }
}

const stored: Readonly<Record<Stored, string>> = {
  created_at: "m.created_at",
  updated_at: "m.updated_at",
  title: "lower(m.title)",
  merged_at: "m.merged_at"
}

const isStored = (by: Order["by"]): by is Stored => by in stored

export const isRanked = <Filter extends Ordered>(filter: Filter): filter is Filter & Ranked =>
  filter.order.by === "milestone_due" || filter.order.by === "popularity"

/** Whether the order is by labels too, which are of a project. */
export const isByLabels = ({ order: { by } }: Ordered): boolean => by === "label_priority" || by === "priority"

export const directionOf = ({ order: { descending } }: Ordered): string => (descending ? "desc" : "asc")

/** A number that comes behind all due dates and priorities in the order of the list. */
const lastOf = ({ order: { descending } }: Ordered): string => (descending ? "-1" : "9223372036854775807")

/** The due date of a milestone `_d` as a number such as 20261231; undated ones come last. */
export const dueOf = (list: Ordered): string => `coalesce(replace(_d.due_date, '-', '')::bigint, ${lastOf(list)})`

const due = (list: Ordered): Fragment =>
  raw(`(select ${dueOf(list)} from rm_milestones.milestones _d where _d.id = m.milestone_id)`)

const labelPriority = ({ labels }: Ordered): Fragment => sql`(
  select min(_l.priority) from rm_merge_requests.labels _has join rm_labels.labels _l on _l.id = _has.label_id
  where _has.project_id = m.project_id and _has.iid = m.iid
    ${typeof labels === "object" ? sql`and not _l.title = any(${labels}::text[])` : none})`

/** What a list is ordered by before the ids, of merge requests `m`. */
export const keyOf = (list: Ordered): Fragment => {
  const { by } = list.order
  if (isStored(by)) return raw(stored[by])
  const last = raw(lastOf(list))
  switch (by) {
    case "label_priority":
      return labelPriority(list)
    case "milestone_due":
      return due(list)
    case "popularity":
      return raw(votes("MergeRequest", "m.id", "thumbsup"))
    case "priority":
      return sql`array[coalesce(${due(list)}, ${last}), coalesce(${labelPriority(list)}, ${last})]`
  }
}

/** The same of one of many rows: a row of another table is joined, which is found for all of them at once. */
export const joinedKeyOf = (list: Ordered): { readonly key: Fragment; readonly joined?: Fragment } => {
  switch (list.order.by) {
    case "milestone_due":
      return {
        joined: raw("left join rm_milestones.milestones _d on _d.id = m.milestone_id"),
        key: raw(`case when _d.id is not null then ${dueOf(list)} end`)
      }
    case "popularity":
      return {
        joined: raw(
          "left join rm_award_emoji.counts _c on _c.type = 'MergeRequest' and _c.awardable_id = m.id and _c.name = 'thumbsup'"
        ),
        key: raw("coalesce(_c.total, 0)")
      }
    default:
      return { key: keyOf(list) }
  }
}

/** The order of a key and an id. What has no key comes last in either direction; where it is a time of merging, ids descend then. */
export const inOrder = (list: Ordered, key: Fragment, id: string): Fragment => {
  const direction = directionOf(list)
  if (list.order.by === "merged_at") return sql`${key} ${raw(`${direction} nulls last, ${id} desc`)}`
  return sql`${key} ${raw(`${direction}${isStored(list.order.by) ? "" : " nulls last"}, ${id} ${direction}`)}`
}

export const orderBy = (list: Ordered): Fragment => inOrder(list, keyOf(list), "m.id")
