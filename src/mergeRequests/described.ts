import { Effect } from "effect"
import { type DescribedMergeRequestRow, type FoundMergeRequestRow, MergeRequestQueries } from "./Queries.ts"

/** A merge request with its description, which is read now where it is long: as it is by then. */
export const described = Effect.fnUntraced(function* (
  row: FoundMergeRequestRow
): Effect.fn.Return<DescribedMergeRequestRow, never, MergeRequestQueries> {
  if (!row.is_description_long) return { ...row, description: row.short_description }
  const [read] = yield* MergeRequestQueries.use(({ descriptionsOf }) => descriptionsOf([row]))
  return { ...row, description: read?.text ?? null }
})
