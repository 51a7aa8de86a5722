import type { Awardable } from "#src/awardEmoji/ids.ts"
import { array, object, timeOf, timeUnder } from "./json.ts"

export const labelColumns = (alias: string): string => `${alias}.title, ${alias}.color, ${alias}.project_id,
  ${timeOf(alias, "created_at")}, ${timeOf(alias, "updated_at")}, false as template, ${alias}.description, ${alias}.group_id,
  case when ${alias}.group_id is null then 'ProjectLabel' else 'GroupLabel' end as type,
  ${array(`select ${alias}.project_id, ${alias}.priority, ${timeOf(alias, "created_at")}, ${timeOf(alias, "updated_at")}
    where ${alias}.priority is not null`)} as priorities`

export const milestoneColumns = (alias: string): string => `${alias}.iid, ${alias}.title, ${alias}.project_id, ${alias}.group_id,
  ${alias}.description, ${alias}.due_date, ${timeOf(alias, "created_at")}, ${timeOf(alias, "updated_at")}, ${alias}.start_date,
  ${alias}.state`

/** The label with an id, an expression. */
export const label = (id: string): string => object(`select ${labelColumns("_l")} from rm_labels.labels _l where _l.id = ${id}`)

/** The milestone with an id, an expression. */
export const milestone = (id: string): string =>
  object(`select ${milestoneColumns("_m")} from rm_milestones.milestones _m where _m.id = ${id}`)

/** What was awarded to something with an id, an expression. */
export const awards = (type: Awardable["type"], id: string): string =>
  array(`select _w.user_id, _w.name, _w.type as awardable_type, ${timeOf("_w", "created_at")}, ${timeUnder("updated_at", "_w", "created_at")}
    from rm_award_emoji.awards _w where _w.type = '${type}' and _w.awardable_id = ${id} order by _w.id`)

/** That the state of an issue or a merge request, the row with this alias, changed. */
export const stateEvents = (type: "Issue" | "MergeRequest", alias: string): string =>
  array(`select _s.user_id, _s.state, ${timeOf("_s", "created_at")}, _s.source_commit,
    false as close_after_error_tracking_resolve, false as close_auto_resolve_prometheus_alert
    from rm_state_events.state_events _s
    where _s.type = '${type}' and _s.project_id = ${alias}.project_id and _s.iid = ${alias}.iid order by _s.id`)

/** The labels of an issue or a merge request, from the table that joins them. */
export const labelLinks = (table: string, type: "Issue" | "MergeRequest", alias: string): string =>
  array(`select '${type}' as target_type, ${label("_k.label_id")} as label from ${table} _k
    where _k.project_id = ${alias}.project_id and _k.iid = ${alias}.iid
      and exists (select from rm_labels.labels _x where _x.id = _k.label_id) order by _k.label_id`)
