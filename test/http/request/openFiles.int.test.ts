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
