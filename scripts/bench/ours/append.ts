import { Effect, ManagedRuntime } from "effect"
import { uuidV7 } from "#src/kernel/uuid.ts"
import { EventStore, type NewEvent } from "#src/platform/eventStore/EventStore.ts"
import { serveRounds, timedLoops } from "../serveRounds.ts"
import { storeAt } from "./store.ts"

const store = await ManagedRuntime.make(storeAt(process.argv[2] ?? "", process.argv[3])).runPromise(
  EventStore.use(Effect.succeed)
)

const event = (): NewEvent => ({
  id: uuidV7(),
  type: "Measured",
  schemaVersion: 1,
  data: { name: "staging", number: 1, text: "hello world" },
  metadata: { actor: "user:1", commandId: uuidV7(), correlationId: uuidV7() }
})

serveRounds((round) => {
  const run = uuidV7()
  return timedLoops(round, (loop, index) =>
    Effect.runPromise(store.append(`measured-${run}-${loop}`, index === 0 ? "noStream" : index - 1, [event()], { areNew: true }))
  )
})
