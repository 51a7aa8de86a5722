import { Effect, Layer } from "effect"
import { type LabelFilter, type LabelPlace, LabelQueries, type LabelRow } from "#src/labels/Queries.ts"
import { all, type Fragment, raw, select, slice, sql } from "#src/platform/sql/fragment.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import { ancestorDistance, belongsTo } from "../namespaces/parents.ts"
import { anyContains } from "../search.ts"
import { type Listing, selectListed } from "../selectListed.ts"

const columns = raw("l.id, l.project_id, l.group_id, l.title, l.description, l.color, l.priority, l.updated_at")

const isIn = ({ parent, withAncestors }: LabelPlace): Fragment => belongsTo("l", parent, withAncestors)

const listing = ({ search, ...place }: LabelFilter): Listing => {
  const where = all(isIn(place), search !== undefined && anyContains(["l.title", "l.description"], search))
  return {
    rows: (page) => sql`select ${columns} from rm_labels.labels l where ${where} order by l.title, l.id ${slice(page)}`,
    counted: sql`select l.id from rm_labels.labels l where ${where}`
  }
}

/** The id that a text may be; null for none. */
const idIn = (text: string): number | null => {
  const id = /^\d+$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : null
}

const found = (place: LabelPlace, idOrTitle: string): Fragment => {
  const id = idIn(idOrTitle)
  return sql`select ${columns} from rm_labels.labels l
    where ${isIn(place)} and (l.id = ${id}::bigint or l.title = ${idOrTitle})
    order by coalesce(l.id = ${id}::bigint, false) desc, ${ancestorDistance("l", place.parent)} limit 1`
}

const named = (place: LabelPlace, titles: ReadonlyArray<string>): Fragment =>
  sql`select distinct on (l.title) ${columns} from rm_labels.labels l
    where ${isIn(place)} and l.title = any(${titles}::text[]) order by l.title, ${ancestorDistance("l", place.parent)}`

/** Answers questions about labels from Postgres. */
export const labelQueries: Layer.Layer<LabelQueries, never, Sql> = Layer.effect(
  LabelQueries,
  Effect.map(Sql, ({ client }) =>
    LabelQueries.of({
      list: (filter, page) => selectListed<LabelRow>(client, listing(filter), page),
      find: (place, idOrTitle) =>
        Effect.map(select<LabelRow>(client, found(place, idOrTitle)), ([row]): LabelRow | undefined => row),
      named: (place, titles) => select<LabelRow>(client, named(place, titles)),
      withIds: (ids) =>
        select<LabelRow>(
          client,
          sql`select ${columns} from rm_labels.labels l where l.id = any(${ids}::bigint[]) order by l.title, l.id`
        )
    })
  )
)
