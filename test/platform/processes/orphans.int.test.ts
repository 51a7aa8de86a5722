import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { endOrphans, orphans } from "#src/platform/processes/marker.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Starts a process of its own, in a group of its own, that starts another; tells the ids of both, and then stands still. */
const script = `
import { makeProcesses } from "./src/platform/processes/Processes.ts"
import { defaultProcessLimits } from "./src/platform/processes/ProcessLimits.ts"

const { start } = makeProcesses(defaultProcessLimits)
const child = start("sh", ["-c", "sleep 1000 & echo $$ $!; wait"], {
  class: "transfer", detached: true, env: { PATH: process.env.PATH }, stdio: ["pipe", "pipe", "ignore"]
})
child.stdout.once("data", (ids) => process.stdout.write(ids))
`

/** Starts a hundred processes, and tells when so many of them run. */
const manyStarts = (running: number) => `
import { makeProcesses } from "./src/platform/processes/Processes.ts"
import { defaultProcessLimits } from "./src/platform/processes/ProcessLimits.ts"

const { start } = makeProcesses(defaultProcessLimits)
let started = 0
for (let i = 0; i < 100; i++) {
  start("sleep", ["1000"], { class: "interactive", detached: i % 2 === 0, env: { PATH: process.env.PATH }, stdio: ["pipe", "pipe", "pipe"] })
    .once("spawn", () => ++started === ${running} && process.stdout.write("now"))
}
`

const startProgram = (program: string, errors: "inherit" | "pipe") =>
  spawn(process.execPath, ["--input-type=module", "--eval", program], { cwd: root, stdio: ["ignore", "pipe", errors] })

const isThere = (id: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${id}/stat`, "latin1"))
  } catch {
    return false
  }
}

const processes = () => readdirSync("/proc").map(Number).filter(Number.isInteger)
const fieldOf = (id: number, file: "environ" | "status", pattern: RegExp): number => {
  try {
    return Number(pattern.exec(readFileSync(`/proc/${id}/${file}`, "latin1"))?.[1])
  } catch {
    return Number.NaN
  }
}
const childrenOf = (parent: number) => processes().filter((id) => fieldOf(id, "status", /^PPid:\s+(\d+)/m) === parent)
const startedBy = (service: number) =>
  processes().filter((id) => fieldOf(id, "environ", /(?:^|\0)CHRONOFORGE_PARENT=(\d+):/) === service)

describe("what a process started", () => {
  let parent: ChildProcess
  let ids: ReadonlyArray<number> = []
  beforeEach(async () => {
    parent = startProgram(script, "inherit")
    const [printed] = await once(parent.stdout ?? parent, "data")
    ids = String(printed).trim().split(" ").map(Number)
    expect(ids.map(isThere)).toEqual([true, true])
    return () => {
      for (const id of ids.filter(isThere)) process.kill(id, "SIGKILL")
    }
  })
  const gone = () => vi.waitFor(() => expect(ids.map(isThere)).toEqual([false, false]), { timeout: 60_000, interval: 20 })

  it("ends when that is killed, with all it started itself", async () => {
    parent.kill("SIGKILL")
    await gone()
  })

  it("is found afterwards where nothing was left to end it, and only then", async () => {
    expect(orphans()).not.toEqual(expect.arrayContaining([...ids]))
    const beside = childrenOf(parent.pid ?? 0)
    expect(beside).toHaveLength(2)
    // None of them sees another one's end.
    parent.kill("SIGSTOP")
    for (const id of beside) process.kill(id, "SIGKILL")
    parent.kill("SIGKILL")
    await once(parent, "exit")
    const found = orphans()
    // A service that starts beside this test ends them too. What is left after the look was there during it.
    expect(found).toEqual(expect.arrayContaining(ids.filter(isThere)))
    endOrphans()
    await gone()
  })
})

it("ends what is found, also what is started meanwhile, and counts each once", async () => {
  const [first, second] = [spawn("sleep", ["1000"]), spawn("sleep", ["1000"])]
  const ends = [first, second].map((child) => once(child, "exit"))
  const [one = 0, other = 0] = [first.pid, second.pid]
  const looks = [[one], [one, other], [], [], []]
  expect(endOrphans(() => looks.shift() ?? [])).toBe(2)
  expect(await Promise.all(ends)).toEqual([
    [null, "SIGKILL"],
    [null, "SIGKILL"]
  ])
})

describe.each([1, 10, 40, 90])("a process that is killed while it starts others, of which %i run", (running) => {
  it("leaves none of them, and says nothing", async () => {
    const parent = startProgram(manyStarts(running), "pipe")
    const id = parent.pid ?? 0
    const errors = text(parent.stderr ?? Readable.from([]))
    await once(parent.stdout ?? parent, "data")
    const beside = childrenOf(id)
    parent.kill("SIGKILL")
    await vi.waitFor(() => expect(beside.filter(isThere)).toEqual([]), { timeout: 20_000, interval: 20 })
    const left = startedBy(id)
    for (const one of left) process.kill(one, "SIGKILL")
    expect([beside.length, left, await errors]).toEqual([2, [], ""])
  })
})
