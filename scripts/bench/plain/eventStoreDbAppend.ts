import { randomUUID } from "node:crypto"
import { EventStoreDBClient, jsonEvent, NO_STREAM } from "@eventstore/db-client"
import { serveRounds, timedLoops } from "../serveRounds.ts"

/** Appends as large as ours, with the server's own client and nothing around it. */
const client = EventStoreDBClient.connectionString(process.argv[2] ?? "")

const event = () =>
  jsonEvent({
    type: "Measured",
    data: { name: "staging", number: 1, text: "hello world" },
    metadata: {
      metadata: { actor: "user:1", commandId: randomUUID(), correlationId: randomUUID() },
      schemaVersion: 1,
      at: Date.now(),
      hash: "0".repeat(64)
    }
  })

serveRounds((round) => {
  const run = randomUUID()
  return timedLoops(round, (loop, index) =>
    client.appendToStream(`measured-${run}-${loop}`, event(), {
      expectedRevision: index === 0 ? NO_STREAM : BigInt(index - 1)
    })
  )
})
