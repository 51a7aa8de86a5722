import { Effect, Layer } from "effect"
import { type MilestoneFilter, type MilestonePlace, MilestoneQueries, type MilestoneRow } from "#src/milestones/Queries.ts"
import type { Parent } from "#src/parents/Parent.ts"
import { all, any, type Fragment, raw, select, slice, sql } from "#src/platform/sql/fragment.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import { belongsTo } from "../namespaces/parents.ts"
import { anyContains } from "../search.ts"
import { type Listing, selectListed } from "../selectListed.ts"
import { milestoneColumns } from "./expressions.ts"

const columns = milestoneColumns("m")

const isIn = ({ parent, withAncestors }: MilestonePlace): Fragment => belongsTo("m", parent, withAncestors)

const where = ({ iids, search, state, title, updatedAfter, updatedBefore, ...place }: MilestoneFilter): Fragment =>
  all(
    isIn(place),
    state !== undefined && sql`m.state = ${state}`,
    iids !== undefined && sql`m.iid = any(${iids}::bigint[])`,
    title !== undefined && sql`m.title = ${title}`,
    search !== undefined && anyContains(["m.title", "m.description"], search),
    updatedAfter !== undefined && sql`m.updated_at >= ${updatedAfter}`,
    updatedBefore !== undefined && sql`m.updated_at <= ${updatedBefore}`
  )

/**
 * A place has few milestones: all that fit are sorted, rather than those of all places looked at in order. Paths are looked up for those of
 * the page alone.
 */
const listing = (filter: MilestoneFilter): Listing => {
  const found = sql`select m.* from rm_milestones.milestones m where ${where(filter)}`
  return {
    rows: (page) => sql`select ${raw(columns)} from (
        select * from (${found} offset 0) found order by id desc ${slice(page)}
      ) m order by m.id desc`,
    counted: found
  }
}

/** Where a title may be only once: in the parent, between a project and its group, and between a group and its projects. */
const isBeside = ({ id, kind }: Parent): Fragment =>
  kind === "project"
    ? any(sql`m.project_id = ${id}`, sql`m.group_id = (select p.namespace_id from rm_projects.projects p where p.id = ${id})`)
    : any(
        sql`m.group_id = ${id}`,
        sql`m.project_id = any(array(select p.id from rm_projects.projects p where p.namespace_id = ${id}))`
      )

/** Answers questions about milestones from Postgres. */
export const milestoneQueries: Layer.Layer<MilestoneQueries, never, Sql> = Layer.effect(
  MilestoneQueries,
  Effect.map(Sql, ({ client }) =>
    MilestoneQueries.of({
      list: (filter, page) => selectListed<MilestoneRow>(client, listing(filter), page),
      find: (place, id) =>
        Effect.map(
          select<MilestoneRow>(
            client,
            sql`select ${raw(columns)} from rm_milestones.milestones m where m.id = ${id} and ${isIn(place)}`
          ),
          ([row]): MilestoneRow | undefined => row
        ),
      withIds: (ids) =>
        select<MilestoneRow>(
          client,
          sql`select ${raw(columns)} from rm_milestones.milestones m where m.id = any(${ids}::bigint[]) order by m.id`
        ),
      isTitleTaken: (parent, title, except = 0) =>
        Effect.map(
          select<{ id: number }>(
            client,
            sql`select m.id from rm_milestones.milestones m
              where (${isBeside(parent)}) and m.title = ${title} and m.id <> ${except} limit 1`
          ),
          ([row]) => row !== undefined
        ),
      highestNumber: (kind) => (scope) =>
        `coalesce((select max(n.iid) from rm_milestones.numbers n where n.${kind}_id = ${scope}), 0)`
    })
  )
)
