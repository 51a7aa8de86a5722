import { Effect, ManagedRuntime } from "effect"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { rate, serveRounds } from "../serveRounds.ts"
import { addSamples } from "./samples.ts"
import { storeAt } from "./store.ts"

/** The arguments are the URL of the database, how many events are added first, and the URL of the log, where it is not in the database. */
const [url = "", events = "0", logUrl] = process.argv.slice(2)
const runtime = ManagedRuntime.make(storeAt(url, logUrl))
await runtime.runPromise(addSamples(Number(events)))
const { readAll } = await runtime.runPromise(EventStore.use(Effect.succeed))

/** Nothing but reading, page by page as a rebuild does. */
serveRounds(async () => {
  const start = performance.now()
  let count = 0
  for (let after = 0; ; ) {
    const page = await runtime.runPromise(readAll(after, 10_000))
    count += page.length
    const last = page.at(-1)
    if (last === undefined) return rate(count, start)
    after = last.position
  }
})
