import { all, type Fragment, raw, sql } from "#src/platform/sql/fragment.ts"

/** Times in milliseconds since 1970, bounds included. */
export interface Bounds {
  readonly createdAfter?: number
  readonly createdBefore?: number
  readonly updatedAfter?: number
  readonly updatedBefore?: number
}

type Column = "created_at" | "updated_at"

const isWithin = (column: string, after: number | undefined, before: number | undefined): Fragment =>
  all(after !== undefined && sql`${raw(column)} >= ${after}`, before !== undefined && sql`${raw(column)} <= ${before}`)

/** Whether the rows with an alias were made and changed within the bounds. */
export const isBetween = (alias: string, { createdAfter, createdBefore, updatedAfter, updatedBefore }: Bounds): Fragment =>
  all(isWithin(`${alias}.created_at`, createdAfter, createdBefore), isWithin(`${alias}.updated_at`, updatedAfter, updatedBefore))

/** Some of the rows of a table within the bounds, found by its index of the time: those at the end of what is open on the other side. */
export const someWithin = (table: string, bounds: Bounds): ((limit: Fragment) => Fragment) | undefined => {
  const { createdAfter, createdBefore, updatedAfter, updatedBefore } = bounds
  const isUpdated = updatedAfter !== undefined || updatedBefore !== undefined
  const column: Column = isUpdated ? "updated_at" : "created_at"
  const [after, before] = isUpdated ? [updatedAfter, updatedBefore] : [createdAfter, createdBefore]
  if (after === undefined && before === undefined) return undefined
  const direction = after === undefined ? "asc" : "desc"
  return (limit) =>
    sql`select * from ${raw(table)} where ${isWithin(column, after, before)} order by ${raw(`${column} ${direction}, id ${direction}`)} ${limit}`
}
