import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { promisify } from "node:util"
import { expect, it } from "vitest"

const file = "/proc/self/autogroup"
const program = `
  const { existsSync, readFileSync } = await import("node:fs")
  const { yieldToDatabase } = await import(${JSON.stringify(new URL("../../../src/platform/processes/spawner/sessionPriority.ts", import.meta.url))})
  yieldToDatabase()
  console.log(existsSync("${file}") ? readFileSync("${file}", "latin1").replace(/.* nice/, "nice") : "no groups")`

it("lets the database go before a session of its own without a terminal", async () => {
  const run = promisify(execFile)
  const { stdout } = await run("setsid", ["--wait", process.execPath, "--input-type=module", "--eval", program])
  expect(stdout.trim()).toBe(existsSync(file) ? "nice 3" : "no groups")
})
