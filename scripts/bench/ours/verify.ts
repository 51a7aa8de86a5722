import { ManagedRuntime } from "effect"
import { verifyLog } from "#src/platform/verification/verifyLog.ts"
import { rate, serveRounds } from "../serveRounds.ts"
import { addSamples } from "./samples.ts"
import { storeAt } from "./store.ts"

const [url = "", events = "0", logUrl] = process.argv.slice(2)
const runtime = ManagedRuntime.make(storeAt(url, logUrl))
await runtime.runPromise(addSamples(Number(events)))

serveRounds(async () => {
  const start = performance.now()
  const verification = await runtime.runPromise(verifyLog({ serialized: logUrl === undefined, seals: [], checkpoints: [] }))
  if (verification.faults.length > 0) throw new Error(JSON.stringify(verification.faults))
  return rate(verification.events, start)
})
