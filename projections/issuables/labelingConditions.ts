import type { LabelingFilter, LabelsFilter, MilestoneFilter } from "#src/issuables/labelingFilter.ts"
import { all, type Fragment, raw, sql } from "#src/platform/sql/fragment.ts"
import { type Evaluation, endOf, hasRow, lacks } from "./conditions.ts"

/** A table of issues or merge requests by its alias, and the table of the labels that they have. */
interface Labeled {
  readonly alias: string
  readonly labels: string
}

/** So many labels are found by themselves; further ones are looked for in what has these. */
const maxSought = 3

/** The day in UTC as a text, as days of milestones are. */
const today = raw("to_char(now() at time zone 'utc', 'YYYY-MM-DD')")

/** Of each project and group, the active milestone that is due next. */
const upcoming = sql`select distinct on (_m.project_id, _m.group_id) _m.id from rm_milestones.milestones _m
  where _m.state = 'active' and _m.due_date > ${today} order by _m.project_id, _m.group_id, _m.due_date, _m.id`

const milestones = (wanted: Exclude<MilestoneFilter, "any" | "none">): Fragment => {
  switch (wanted) {
    case "upcoming":
      return upcoming
    case "started":
      return sql`select _m.id from rm_milestones.milestones _m where _m.state = 'active' and _m.start_date <= ${today}`
    default:
      return sql`select _m.id from rm_milestones.milestones _m where _m.title = ${wanted.title}`
  }
}

/** The conditions of labels and milestones on the rows of a table. */
export const labelingConditions = ({ alias, labels: table }: Labeled) => {
  const labelsOf = raw(`${table} _has join rm_labels.labels _label on _label.id = _has.label_id
    where _has.project_id = ${alias}.project_id and _has.iid = ${alias}.iid`)

  const hasAnyLabel = (evaluation: Evaluation): Fragment => sql`exists (select from ${labelsOf} ${endOf(evaluation)})`

  /** Whether it has one of the labels, by their ids. */
  const hasSome = (titles: ReadonlyArray<string>, evaluation: Evaluation): Fragment => sql`exists (
    select from ${raw(`${table} _has where _has.project_id = ${alias}.project_id and _has.iid = ${alias}.iid`)}
      and _has.label_id = any(array(select _label.id from rm_labels.labels _label where _label.title = any(${titles}::text[]))) ${endOf(evaluation)})`

  /** Whether it has the label: those that have it are found by its ids, however few they are among all. */
  const hasLabel =
    (evaluation: Evaluation) =>
    (title: string): Fragment => {
      const isIt = sql`_has.label_id = any(array(select _label.id from rm_labels.labels _label where _label.title = ${title}))`
      return hasRow(alias, { table, alias: "_has" }, isIt, evaluation)
    }

  /** By the first titles those that may fit are found; there are few texts, however many titles there are. */
  const hasAll = (titles: ReadonlyArray<string>, evaluation: Evaluation): Fragment => {
    const distinct = [...new Set(titles)]
    const others = distinct.slice(maxSought)
    return all(
      ...distinct.slice(0, maxSought).map(hasLabel(evaluation)),
      others.length > 0 &&
        sql`not exists (select from unnest(${others}::text[]) as _wanted(title)
          where not exists (select from ${labelsOf} and _label.title = _wanted.title))`
    )
  }

  const hasLabels = (labels: LabelsFilter, evaluation: Evaluation): Fragment => {
    if (labels === "any") return hasAnyLabel(evaluation)
    return labels === "none" ? lacks(hasAnyLabel(evaluation)) : hasAll(labels, evaluation)
  }

  const hasAnyMilestone = raw(`exists (select from rm_milestones.milestones _m where _m.id = ${alias}.milestone_id)`)

  /** A milestone that was deleted is none. */
  const hasMilestone = (wanted: MilestoneFilter): Fragment => {
    if (wanted === "any") return hasAnyMilestone
    if (wanted === "none") return sql`not ${hasAnyMilestone}`
    return sql`${raw(`${alias}.milestone_id`)} = any(array(${milestones(wanted)}))`
  }

  return {
    /** Labels and milestone fit. */
    hasLabeling: ({ labels, milestone }: LabelingFilter, evaluation: Evaluation): Fragment =>
      all(labels !== undefined && hasLabels(labels, evaluation), milestone !== undefined && hasMilestone(milestone)),
    /** None of the labels is there, and another milestone or none. */
    hasNoLabeling: ({ labels, milestone }: LabelingFilter, evaluation: Evaluation): Fragment =>
      all(
        labels !== undefined && lacks(typeof labels === "string" ? hasLabels(labels, evaluation) : hasSome(labels, evaluation)),
        milestone !== undefined && sql`not coalesce(${hasMilestone(milestone)}, false)`
      )
  }
}
