import { Effect, ManagedRuntime } from "effect"
import { Applier } from "#projections/Applier.ts"
import { prepareReadModels } from "#projections/generations.ts"
import { rebuild } from "#projections/rebuild.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { makeClient } from "#src/platform/sql/client.ts"
import { rate, serveRounds } from "../serveRounds.ts"
import { addSamples, samples } from "./samples.ts"
import { storeAt } from "./store.ts"

const [url = "", events = "0", logUrl] = process.argv.slice(2)
const client = makeClient(url, { connections: 3, name: "chronoforge-bench", relaxedCommit: true })
const runtime = ManagedRuntime.make(storeAt(url, logUrl))
await runtime.runPromise(addSamples(Number(events)))
await runtime.runPromise(prepareReadModels(client, [samples]))

// The projector of a service has brought the live tables up to date.
const { readAll } = await runtime.runPromise(EventStore.use(Effect.succeed))
const live = new Applier(client, "live", [[samples, 0]])
for (
  let page = await runtime.runPromise(readAll(0, 10_000));
  page.length > 0;
  page = await runtime.runPromise(readAll(live.position, 10_000))
) {
  await live.apply(page)
}

// The whole of it: replay, comparison with the live rows, swap.
serveRounds(async () => {
  const start = performance.now()
  let count = 0
  const report = (progress: { readonly events: number }) =>
    Effect.sync(() => {
      count = progress.events
      return false
    })
  await runtime.runPromise(rebuild(client, [samples], report))
  return rate(count, start)
})
