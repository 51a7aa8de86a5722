import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
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

const isThere = (id: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${id}/stat`, "latin1"))
  } catch {
    return false
  }
}
const commandOf = (id: string): string => {
  try {
    return readFileSync(`/proc/${id}/cmdline`, "latin1")
  } catch {
    return ""
  }
}
const wardenOf = ({ pid }: ChildProcess): number =>
  Number(readdirSync("/proc").find((id) => commandOf(id).includes(`warden.sh\0CHRONOFORGE_PARENT=${pid}:`)))

describe("what a process started", () => {
  let parent: ChildProcess
  let ids: ReadonlyArray<number> = []
  beforeEach(async () => {
    parent = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"]
    })
    const [printed] = await once(parent.stdout ?? parent, "data")
    ids = String(printed).trim().split(" ").map(Number)
    expect(ids.map(isThere)).toEqual([true, true])
    return () => {
      for (const id of ids.filter(isThere)) process.kill(id, "SIGKILL")
    }
  })
  const gone = () => vi.waitFor(() => expect(ids.map(isThere)).toEqual([false, false]), { timeout: 10_000, interval: 20 })

  it("ends when that is killed, with all it started itself", async () => {
    parent.kill("SIGKILL")
    await gone()
  })

  it("is found afterwards where nothing was left to end it, and only then", async () => {
    expect(orphans()).not.toEqual(expect.arrayContaining([...ids]))
    const warden = wardenOf(parent)
    process.kill(warden, "SIGKILL")
    await vi.waitFor(() => expect(isThere(warden)).toBe(false), { timeout: 10_000, interval: 20 })
    parent.kill("SIGKILL")
    await once(parent, "exit")
    expect(ids.map(isThere)).toEqual([true, true])
    expect(orphans()).toEqual(expect.arrayContaining([...ids]))
    expect(endOrphans()).toBeGreaterThanOrEqual(2)
    await gone()
  })
})
