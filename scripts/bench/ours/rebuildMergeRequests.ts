import { readFile } from "node:fs/promises"
import { Effect, ManagedRuntime } from "effect"
import { mergeRequestsReadModel } from "#projections/mergeRequests/projection.ts"
import { rebuild } from "#projections/rebuild.ts"
import { makeClient } from "#src/platform/sql/client.ts"
import { rate, serveRounds } from "../serveRounds.ts"
import { storeAt } from "./store.ts"

/** The argument is the URL of a database with a log, which nobody else uses. */
const [url = ""] = process.argv.slice(2)
const client = makeClient(url, { connections: 3, name: "chronoforge-bench", relaxedCommit: true })
const runtime = ManagedRuntime.make(storeAt(url))
const [{ events } = { events: 0 }] = await client<Array<{ events: number }>>`select count(*) as events from chronoforge.events`

/** The greatest memory that this process has had, in MiB. */
const peak = async (): Promise<number> => {
  const status = await readFile("/proc/self/status", "utf8").catch(() => "")
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}

serveRounds(async () => {
  const start = performance.now()
  await runtime.runPromise(rebuild(client, [mergeRequestsReadModel], () => Effect.succeed(false)))
  return { ...rate(events, start), memory: await peak(), events }
})
