import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

/** Runs in a process that can open no file any more, as one that serves too many at once. */
const script = `
import { openSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { Effect } from "effect"
import { Objects } from "./src/git/objects/Objects.ts"
import { run } from "./src/git/process/run.ts"
import { defectError } from "./src/http/answer/defects.ts"
import { makeClient } from "./src/platform/sql/client.ts"
import { query } from "./src/platform/sql/Sql.ts"

const client = makeClient("postgres://127.0.0.1/nowhere", { connections: 1, name: "chronoforge-test" })
const repository = { path: "/nowhere.git" }
const faults = {
  file: Effect.promise(() => readFile("/etc/passwd")),
  git: run(repository, ["version"]),
  object: Effect.provide(Objects.use((objects) => objects.info(repository, "HEAD")), Objects.layer),
  socket: query(() => client\`select 1\`)
}
try {
  for (;;) openSync("/dev/null")
} catch {}
const told = {}
for (const [name, fault] of Object.entries(faults)) {
  const { status, body, headers } = defectError(await Effect.runPromise(Effect.flip(Effect.sandbox(Effect.orDie(fault)))))
  told[name] = [status, body.message, headers]
}
process.stdout.write(JSON.stringify(told), () => process.exit())
`

describe("a process that may open no more files", () => {
  it("says so, whatever the file was for: that is over when others are closed", async () => {
    const command = 'ulimit -n 60; exec "$0" --input-type=module --eval "$1"'
    const { stdout } = await promisify(execFile)("sh", ["-c", command, process.execPath, script])
    const refusal = [503, "503 Service Unavailable - too many files are open", { "retry-after": "10" }]
    expect(JSON.parse(stdout)).toEqual({ file: refusal, git: refusal, object: refusal, socket: refusal })
  })
})

/** The same, with everything that happens to it in two minutes of its clock. */
const watched = `
import { openSync } from "node:fs"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { logShortage, watchDescriptors } from "./src/platform/logging/shortage.ts"

try {
  for (;;) openSync("/dev/null")
} catch {}
const refused = Object.assign(new Error("open"), { code: "EMFILE" })
const program = Effect.gen(function* () {
  const watching = yield* Effect.forkChild(watchDescriptors)
  yield* TestClock.adjust("30 seconds")
  for (let request = 0; request < 100; request++) yield* logShortage(refused)
  yield* logShortage(new Error("of another kind"))
  yield* Fiber.interrupt(watching)
})
await Effect.runPromise(Effect.provide(program, TestClock.layer()))
process.exitCode = 0
`

it("a process that may open no more files says so in one line, also where no request comes through", async () => {
  const command = 'ulimit -n 60; exec "$0" --input-type=module --eval "$1"'
  const { stdout } = await promisify(execFile)("sh", ["-c", command, process.execPath, watched])
  const line = "The service is short of what it needs: too many files are open. Requests are refused meanwhile"
  expect(stdout.trim().replace(/^.*ERROR \(#\d+\): /, "")).toBe(line)
})
