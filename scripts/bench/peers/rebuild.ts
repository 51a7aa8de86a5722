import { getPostgreSQLEventStore, pongoSingleStreamProjection, rebuildPostgreSQLProjections } from "@event-driven-io/emmett-postgresql"
import { serveRounds, rate } from "../serveRounds.ts"
import { eventsPerSample, history } from "../history.ts"

const [url = "", events = "0"] = process.argv.slice(2)
const store = getPostgreSQLEventStore(url)
await store.schema.migrate()

// The appends run one after the other, because a rebuild of this version leaves out some events that were appended concurrently.
for (let index = 0; index < Number(events) / eventsPerSample; index++) {
  await store.appendToStream(
    `sample-${index}`,
    history(index).map(({ _tag, ...data }) => ({ type: _tag, data }))
  )
}

const projectionOf = (collectionName: string) =>
  pongoSingleStreamProjection({
    collectionName,
    canHandle: ["SampleAdded", "SampleChanged"],
    evolve: (document, { data, type }) => (type === "SampleAdded" ? data : { ...document, ...data })
  })

// A second rebuild of the same projection replays nothing, so every round builds one of a new name.
let round = 0
serveRounds(async () => {
  const projection = projectionOf(`samples_${++round}`)
  const start = performance.now()
  const consumer = rebuildPostgreSQLProjections({ connectionString: url, projection })
  await consumer.start()
  await consumer.close()
  return rate(Number(events), start)
})
