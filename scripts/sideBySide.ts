import { spawn } from "node:child_process"
import { once } from "node:events"
import { availableParallelism } from "node:os"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect } from "effect"

/** Runs a script of package.json and then prints in one piece what it wrote. The result is its name where it failed. */
const run = Effect.fnUntraced(function* (script: string) {
  const begun = performance.now()
  const { code, output } = yield* Effect.promise(async () => {
    const child = spawn("npm", ["run", "--silent", script], { stdio: ["ignore", "pipe", "pipe"] })
    const chunks: Array<Buffer> = []
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk))
    const [code] = await once(child, "close")
    return { code, output: Buffer.concat(chunks).toString("utf8").trimEnd() }
  })
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
  yield* Console.log(`\n> ${script}: ${code === 0 ? "succeeded" : "FAILED"} after ${seconds} s${output && `\n${output}`}`)
  return code === 0 ? [] : [script]
})

/** `node scripts/sideBySide.ts <script> ...`: as many at once as there are processors. Fails at the end when one of them did. */
const main = Effect.gen(function* () {
  const failed = yield* Effect.forEach(process.argv.slice(2), run, { concurrency: availableParallelism() })
  if (failed.flat().length === 0) return
  yield* Console.error(`\nFailed: ${failed.flat().join(", ")}`)
  process.exitCode = 1
})

NodeRuntime.runMain(main)
