import { Effect, Layer } from "effect"
import {
  type CountedIn,
  type LabelCountRow,
  type LabelEventRow,
  LabelingQueries,
  type MilestoneEventRow
} from "#src/mergeRequests/labelEvents/Queries.ts"
import type { MergeRequestRow } from "#src/mergeRequests/Queries.ts"
import { type Fragment, raw, select, slice, sql } from "#src/platform/sql/fragment.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import { milestoneJson } from "../milestones/expressions.ts"
import { type Listing, selectListed } from "../selectListed.ts"
import { referenceById } from "../users/references.ts"
import { commonTables, isPlace } from "./list.ts"

type Key = Pick<MergeRequestRow, "iid" | "project_id">

const common = `e.id, m.id as merge_request_id, e.is_added, e.created_at, ${referenceById("e.user_id")} as user`

const ofRequest = (table: string, { iid, project_id }: Key): Fragment => sql`from ${raw(`rm_merge_requests.${table}`)} e
  join rm_merge_requests.merge_requests m on m.project_id = e.project_id and m.iid = e.iid
  where e.project_id = ${project_id} and e.iid = ${iid}`

const labelColumns = raw(`${common}, (select to_json(_l) from rm_labels.labels _l where _l.id = e.label_id) as label`)
const milestoneColumns = raw(`${common}, e.state, ${milestoneJson("e.milestone_id")} as milestone`)

const labelEvents = (key: Key): Fragment => ofRequest("label_events", key)

const milestoneEvents = (key: Key): Fragment =>
  sql`${ofRequest("milestone_events", key)} and exists (select from rm_milestones.milestones _m where _m.id = e.milestone_id)`

const listing = (columns: Fragment, found: Fragment): Listing => ({
  rows: (page) => sql`select ${columns} ${found} order by e.id ${slice(page)}`,
  counted: sql`select e.id ${found}`
})

/** They are counted where labels come and go, for some have very many. */
const openWith = (labelIds: ReadonlyArray<number>, within: CountedIn): Fragment => sql`
  ${commonTables(within)} select m.label_id, sum(m.opened)::bigint as opened from rm_merge_requests.label_counts m
  where m.label_id = any(${labelIds}::bigint[]) and ${isPlace(within)} group by m.label_id`

/** Answers questions about labels and milestones that merge requests had from Postgres. */
export const labelingQueries: Layer.Layer<LabelingQueries, never, Sql> = Layer.effect(
  LabelingQueries,
  Effect.map(Sql, ({ client }) => {
    const one = <Row extends object>(columns: Fragment, found: Fragment, id: number) =>
      Effect.map(select<Row>(client, sql`select ${columns} ${found} and e.id = ${id}`), ([row]): Row | undefined => row)
    return LabelingQueries.of({
      labels: (key, page) => selectListed<LabelEventRow>(client, listing(labelColumns, labelEvents(key)), page),
      label: (key, id) => one<LabelEventRow>(labelColumns, labelEvents(key), id),
      milestones: (key, page) => selectListed<MilestoneEventRow>(client, listing(milestoneColumns, milestoneEvents(key)), page),
      openWith: (labelIds, within) => select<LabelCountRow>(client, openWith(labelIds, within)),
      milestone: (key, id) => one<MilestoneEventRow>(milestoneColumns, milestoneEvents(key), id)
    })
  })
)
