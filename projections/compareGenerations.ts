import type { Statements } from "#src/platform/sql/Sql.ts"
import type { ReadModel } from "./ReadModel.ts"
import { schemaOf } from "./writeChanges.ts"

export interface Differences {
  readonly count: number
  /** There are at most 20, such as `clusters {"id":1}: rebuilt … instead of …`. */
  readonly examples: ReadonlyArray<string>
}

const maxExamples = 20

interface DifferenceRow {
  readonly key: string
  readonly live: string | null
  readonly next: string | null
  readonly total: number
}

/** Compares the live and the next generation row by row, as the caller's snapshot sees them. */
export const compareGenerations = async (tx: Statements, readModel: ReadModel): Promise<Differences> => {
  const examples: Array<string> = []
  let count = 0
  for (const [table, key] of Object.entries(readModel.tables)) {
    const columns = key.map((name) => `"${name}"`).join(", ")
    const rows = await tx.unsafe<Array<DifferenceRow>>(
      `select json_build_array(${columns})::text as key, to_json(l)::text as live, to_json(n)::text as next, count(*) over () as total
       from ${schemaOf(readModel.name, "live")}.${table} l full join ${schemaOf(readModel.name, "next")}.${table} n using (${columns})
       where l is distinct from n limit ${maxExamples}`
    )
    count += rows[0]?.total ?? 0
    for (const row of rows)
      examples.push(`${table} ${row.key}: rebuilt ${row.next ?? "nothing"} instead of ${row.live ?? "nothing"}`)
  }
  return { count, examples: examples.slice(0, maxExamples) }
}
