import { isoMillis } from "../http/answer/jsonTimes.ts"
import type { Presented } from "../http/answer/Presented.ts"
import type { readExports } from "./contract.ts"
import type { BatchRow, RelationRow } from "./Queries.ts"

type RelationExport = Presented<(typeof readExports)["success"]["body"]["Type"]>[number]
type Batch = NonNullable<RelationExport["batches"]>[number]

const presentBatch = ({ batch_number, error, objects, status, updated_at }: BatchRow): Batch => ({
  status,
  batch_number,
  objects_count: objects,
  error,
  updated_at: isoMillis(updated_at)
})

/** Those that are over, and those that stand as the relation does: they are still to come, or have failed with it. */
const batchesOf = ({ batches, batches_count, error, status, updated_at }: RelationRow): ReadonlyArray<Batch> => {
  const over = new Map(batches.map((batch) => [batch.batch_number, batch]))
  return Array.from({ length: batches_count }, (_, index) => {
    const batch_number = index + 1
    return presentBatch(over.get(batch_number) ?? { batch_number, status, objects: 0, error, updated_at })
  })
}

export const presentRelation = (row: RelationRow): RelationExport => ({
  relation: row.relation,
  status: row.status,
  error: row.error,
  updated_at: isoMillis(row.updated_at),
  batched: row.is_batched,
  batches_count: row.batches_count,
  ...(row.is_batched && { batches: batchesOf(row) })
})
