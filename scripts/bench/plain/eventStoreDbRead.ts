import { EventStoreDBClient, FORWARDS, START } from "@eventstore/db-client"
import { rate, serveRounds } from "../serveRounds.ts"

/** Reads the whole log with the server's own client and nothing around it. */
const client = EventStoreDBClient.connectionString(process.argv[2] ?? "")

serveRounds(async () => {
  const start = performance.now()
  let count = 0
  for await (const { event } of client.readAll({ direction: FORWARDS, fromPosition: START })) {
    if (event !== undefined && !event.streamId.startsWith("$")) count++
  }
  return rate(count, start)
})
