import { Effect } from "effect"
import { type MayLackText, pageOfTexts, type ReadText, reader, type Texts } from "../http/answer/longLists.ts"
import type { Listed } from "../http/answer/pagination.ts"

/** A row of a page that may lack its description. */
export interface MayLackDescription extends MayLackText {
  readonly description: string | null
}

type DescriptionsOf<Row> = (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<ReadText>>

/** A page of what has descriptions; long ones come piece by piece. */
export const pageOfDescribed = Effect.fnUntraced(function* <Row extends MayLackDescription, B extends object>(
  found: Listed<Row>,
  present: (row: Row) => B,
  descriptionsOf: DescriptionsOf<Row>
) {
  const run = yield* reader
  const texts: Texts<Row> = {
    of: ({ description }) => description,
    withText: (row, description) => ({ ...row, description }),
    read: (rows) => run(descriptionsOf(rows))
  }
  return yield* pageOfTexts(found, present, texts)
})
