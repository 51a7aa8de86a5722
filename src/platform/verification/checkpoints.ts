import type { Effect } from "effect"
import type { Position } from "../eventStore/EventStore.ts"
import { query, Sql } from "../sql/Sql.ts"

/** How far a read model says that it has come. */
export interface Checkpoint {
  readonly readModel: string
  readonly position: Position
}

/** The checkpoints of all read models, also of those that are being rebuilt; the furthest first. */
export const readCheckpoints: Effect.Effect<ReadonlyArray<Checkpoint>, never, Sql> = Sql.use(({ client }) =>
  query(async () => [
    ...(await client<Array<Checkpoint>>`
      select name as "readModel", position from chronoforge.read_models order by position desc, name`)
  ])
)
