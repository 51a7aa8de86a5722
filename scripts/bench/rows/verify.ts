import type { Databases } from "../database.ts"
import { measureAlone, type Row } from "../figures.ts"
import { withRunners } from "../runners.ts"

/** A walk over the log that checks every hash chain. */
export const verifyRows = (databases: Databases): Promise<ReadonlyArray<Row>> =>
  withRunners(async (start) => {
    const ours = await start("ours/verify.ts", await databases.migrated("verify_ours"), "200000")
    const figures = await measureAlone(ours, { parallel: 1, millis: 0, rounds: 5 })
    return [{ name: "verify, 200,000 events", unit: "/s", ours: figures("rate"), target: { rate: 50_000 } }]
  })
