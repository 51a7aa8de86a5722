import { Effect } from "effect"
import { longList, type MayLackText, type ReadText, reader } from "../http/answer/longLists.ts"
import type { Listed } from "../http/answer/pagination.ts"
import { page, revalidate } from "../http/answer/Reply.ts"

/** A row of a page that may lack its description. */
export interface MayLackDescription extends MayLackText {
  readonly description: string | null
}

type DescriptionsOf<Row> = (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<ReadText>>

/** A page of what has descriptions; long ones come piece by piece. */
export const pageOfDescribed = Effect.fnUntraced(function* <Row extends MayLackDescription, B extends object>(
  { extent, rows }: Listed<Row>,
  present: (row: Row) => B,
  descriptionsOf: DescriptionsOf<Row>
) {
  if (!rows.some((row) => row.text_is_left_out)) return page(rows.map(present), extent)
  const run = yield* reader
  const texts = {
    field: "description",
    of: (row: Row) => row.description,
    blank: (row: Row): Row => ({ ...row, description: "" }),
    read: (some: ReadonlyArray<Row>) => run(descriptionsOf(some))
  }
  return { body: longList({ rows, present, texts }), extent, headers: revalidate }
})
