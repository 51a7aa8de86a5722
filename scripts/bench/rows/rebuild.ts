import type { Databases } from "../database.ts"
import { figureOf, measureAlone, type Row } from "../figures.ts"
import { withRunners } from "../runners.ts"

const ourEvents = 200_000
const peerEvents = 20_000
const once = { parallel: 1, millis: 0 }

/** A read model of one row a stream, built again from the log. One after the other, as each needs the whole machine for long. */
export const rebuildRows = (databases: Databases): Promise<ReadonlyArray<Row>> =>
  withRunners(async (start) => {
    const ours = await start("ours/rebuild.ts", await databases.migrated("rebuild_ours"), String(ourEvents))
    const before = await measureAlone(ours, { ...once, rounds: 3 })
    const peer = await start("peers/rebuild.ts", await databases.relaxed("rebuild_peer"), String(peerEvents))
    const theirs = (await peer.run(once)).rate ?? 0
    const figure = before("rate")
    return [
      {
        name: `rebuild, ${ourEvents.toLocaleString("en")} events (peer: ${peerEvents.toLocaleString("en")})`,
        unit: "/s",
        ours: figure,
        peer: figureOf([theirs]),
        ratio: figure.median / theirs,
        target: { ratio: 60, rate: 50_000 }
      }
    ]
  })
