import { randomUUID } from "node:crypto"
import { getPostgreSQLEventStore } from "@event-driven-io/emmett-postgresql"
import { serveRounds, timedLoops } from "../serveRounds.ts"

const store = getPostgreSQLEventStore(process.argv[2] ?? "")
await store.schema.migrate()

const event = () => ({
  type: "Measured",
  data: { name: "staging", number: 1, text: "hello world" },
  metadata: { actor: "user:1", commandId: randomUUID(), correlationId: randomUUID() }
})

serveRounds((round) => {
  const run = randomUUID()
  return timedLoops(round, (loop, index) =>
    store.appendToStream(`measured-${run}-${loop}`, [event()], {
      expectedStreamVersion: index === 0 ? "STREAM_DOES_NOT_EXIST" : BigInt(index)
    })
  )
})
