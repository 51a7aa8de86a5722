import type { Databases } from "../database.ts"
import { measureAlone, type Row } from "../figures.ts"
import { withRunners } from "../runners.ts"

/** The way of an event from the append to the read model, while 500 a second come in. */
export const visibilityRows = (databases: Databases): Promise<ReadonlyArray<Row>> =>
  withRunners(async (start) => {
    const ours = await start("ours/visibility.ts", await databases.migrated("visibility_ours"))
    const figures = await measureAlone(ours, { parallel: 500, millis: 3_000, rounds: 5 })
    return [
      { name: "append to visible, 500 events/s, p50", unit: "ms", ours: figures("p50") },
      { name: "append to visible, 500 events/s, p99", unit: "ms", ours: figures("p99") }
    ]
  })
