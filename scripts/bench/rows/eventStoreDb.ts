import type { Databases } from "../database.ts"
import { measureBoth, type Row } from "../figures.ts"
import { type Start, withRunners } from "../runners.ts"

const events = 50_000
const once = { parallel: 1, millis: 0 }
const writers = [1, 32, 256]

/** Programs that go through a log of as many events, here and in Postgres. */
const wholeLogRows = async (start: Start, databases: Databases, logUrl: string): Promise<ReadonlyArray<Row>> => {
  const programs = [
    { name: "read of the whole log", file: "ours/readLog.ts", target: {} },
    { name: "verify", file: "ours/verify.ts", target: { ratio: 0.7 } },
    { name: "rebuild", file: "ours/rebuild.ts", target: { ratio: 0.7 } }
  ]
  const rows: Array<Row> = []
  for (const [index, { file, name, target }] of programs.entries()) {
    // One log serves all three: who comes later adds nothing.
    const added = index === 0 ? events : 0
    const ours = await start(file, await databases.migrated(`eventstoredb_${index}`), String(added), logUrl)
    const peer = await start(file, await databases.migrated(`eventstoredb_peer_${index}`), String(events))
    const figures = await measureBoth(ours, peer, { ...once, rounds: 3 })
    rows.push({
      name: `EventStoreDB: ${name}, ${events.toLocaleString("en")} events (peer: Postgres)`,
      unit: "/s",
      ...figures,
      target
    })
  }
  const ours = await start("ours/readLog.ts", await databases.migrated("eventstoredb_read"), "0", logUrl)
  const bare = await start("plain/eventStoreDbRead.ts", logUrl)
  const read = await measureBoth(ours, bare, { ...once, rounds: 3 })
  return [...rows, { name: "EventStoreDB: read of the whole log (peer: its client alone)", unit: "/s", ...read }]
}

const appendRows = async (start: Start, databases: Databases, logUrl: string): Promise<ReadonlyArray<Row>> => {
  const ours = await start("ours/append.ts", await databases.migrated("eventstoredb_append"), logUrl)
  const bare = await start("plain/eventStoreDbAppend.ts", logUrl)
  const postgres = await start("ours/append.ts", await databases.migrated("eventstoredb_append_peer"))
  const rows: Array<Row> = []
  for (const parallel of writers) {
    const rounds = { parallel, millis: 1_000, rounds: 9 }
    const name = `EventStoreDB: append, ${parallel} writer${parallel === 1 ? "" : "s"}`
    rows.push({
      name: `${name} (peer: its client alone)`,
      unit: "/s",
      ...(await measureBoth(ours, bare, rounds)),
      target: { ratio: 0.9 }
    })
    rows.push({ name: `${name} (peer: Postgres)`, unit: "/s", ...(await measureBoth(ours, postgres, rounds)) })
  }
  return rows
}

const visibilityRows = async (start: Start, databases: Databases, logUrl: string): Promise<ReadonlyArray<Row>> => {
  const ours = await start("ours/visibility.ts", await databases.migrated("eventstoredb_visibility"), logUrl)
  const peer = await start("ours/visibility.ts", await databases.migrated("eventstoredb_visibility_peer"))
  const rounds = { parallel: 200, millis: 3_000, rounds: 5 }
  const name = "EventStoreDB: append to visible, 200 events/s"
  const rows: Array<Row> = []
  for (const percentile of ["p50", "p99"]) {
    const figures = await measureBoth(ours, peer, { ...rounds, of: percentile })
    rows.push({ name: `${name}, ${percentile} (peer: Postgres)`, unit: "ms", ...figures })
  }
  return rows
}

/**
 * The log on the EventStoreDB of EVENTSTORE_URL, which is new and nobody else's, beside the one in Postgres. Without one there is nothing to
 * measure. Behind the appends of the bare client, whose events make no chains, `verify` fails: each run needs a new server.
 */
export const eventStoreDbRows = async (databases: Databases): Promise<ReadonlyArray<Row>> => {
  const logUrl = process.env.EVENTSTORE_URL ?? ""
  if (logUrl === "") return []
  // Each in turn, as the programs of one would take processors from the other.
  const rows = await withRunners((start) => wholeLogRows(start, databases, logUrl))
  const appends = await withRunners((start) => appendRows(start, databases, logUrl))
  return [...rows, ...appends, ...(await withRunners((start) => visibilityRows(start, databases, logUrl)))]
}
