import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

/** Runs in a process that can open no file any more, as one that serves too many at once. */
const script = `
import { openSync } from "node:fs"
import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { defaultBranch } from "./src/git/refs/refs.ts"
import { reasonOf } from "./src/platform/logging/unavailable.ts"
import { Objects } from "./src/git/objects/Objects.ts"
import { run } from "./src/git/process/run.ts"
import { startGit } from "./src/git/http/gitProcess.ts"
import { makeProcesses } from "./src/platform/processes/Processes.ts"
import { defaultProcessLimits } from "./src/platform/processes/ProcessLimits.ts"
import { remoteGit } from "./src/imports/remote/git.ts"

const processes = makeProcesses(defaultProcessLimits)
const repository = { path: "/nowhere.git" }
const full = () => {
  try {
    for (;;) openSync("/dev/null")
  } catch (error) {
    return error.code
  }
}
const failing = (effect) => Effect.runPromise(Effect.map(Effect.flip(effect), ({ stderr }) => stderr))
const refused = (effect) => Effect.runPromise(effect).catch(reasonOf)
const object = Objects.use((objects) => objects.info(repository, "HEAD"))
const git = () => startGit({ processes, class: "transfer", repository, args: ["receive-pack"], protocol: undefined })
const said = [
  full(),
  await failing(run(repository, ["version"])),
  await failing(Effect.provide(object, Objects.layer)),
  await failing(remoteGit({ _tag: "Folder", path: "/nowhere.git" }, ["version"])),
  await git().end,
  reasonOf(await Effect.runPromise(Effect.flip(run(repository, ["version"])))),
  await refused(defaultBranch(repository)),
  await refused(Effect.promise(() => readFile("/dev/null")))
]
const stopped = git()
stopped.stop()
await stopped.end
process.stdout.write(JSON.stringify(said))
`

describe("a process that cannot be started", () => {
  it("fails like one that is missing, and takes nothing else along", async () => {
    const command = 'ulimit -n 60; exec "$0" --input-type=module --eval "$1"'
    const { stdout } = await promisify(execFile)("sh", ["-c", command, process.execPath, script])
    const [text, limited] = ["spawn git EMFILE", "spawn /bin/sh EMFILE"]
    const reason = "too many files are open"
    const end = { status: null, stderr: limited, shortage: reason }
    expect(JSON.parse(stdout)).toEqual(["EMFILE", limited, text, limited, end, reason, reason, reason])
  })
})
