import type { Databases } from "../database.ts"
import { measureBoth, type Row } from "../figures.ts"
import { withRunners } from "../runners.ts"

/** Appends of one small event each, every writer to a stream of its own. */
export const appendRows = (databases: Databases): Promise<ReadonlyArray<Row>> =>
  withRunners(async (start) => {
    const ours = await start("ours/append.ts", await databases.migrated("append_ours"))
    const peer = await start("peers/append.ts", await databases.empty("append_peer"))
    const alone = await measureBoth(ours, peer, { parallel: 1, millis: 1_000, rounds: 9 })
    const together = await measureBoth(ours, peer, { parallel: 32, millis: 1_000, rounds: 9 })
    return [
      { name: "append, 1 writer", unit: "/s", ...alone, target: { ratio: 1.2 } },
      { name: "append, 32 writers", unit: "/s", ...together, target: { ratio: 3 } }
    ]
  })
