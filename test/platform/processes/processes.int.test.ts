import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { text } from "node:stream/consumers"
import { describe, expect, it, vi } from "vitest"
import { limitIn } from "#src/git/Repository.ts"
import { enforcement } from "#src/platform/processes/enforcement.ts"
import { type LimitedChild, makeProcesses } from "#src/platform/processes/Processes.ts"
import { defaultProcessLimits, type ProcessLimit, type ProcessLimits } from "#src/platform/processes/ProcessLimits.ts"
import type { WorkClass } from "#src/platform/work/CurrentWork.ts"

const mebibyte = 1024 * 1024
/** The default limits but for these, with memory in MiB. */
const limited = (workClass: WorkClass, { memory, ...times }: Partial<ProcessLimit>): ProcessLimits => ({
  ...defaultProcessLimits,
  [workClass]: { ...defaultProcessLimits[workClass], ...times, ...(memory && { memory: memory * mebibyte }) }
})
const start = (
  workClass: WorkClass,
  command: string,
  args: ReadonlyArray<string>,
  processes = makeProcesses(defaultProcessLimits)
) =>
  processes.start(command, args, { class: workClass, cwd: "/", env: { PATH: process.env.PATH }, stdio: ["pipe", "pipe", "pipe"] })

/** A process that is given so many MiB, which it holds until its input ends, and when it has taken them. */
const holding = (mebibytes: number, processes: ReturnType<typeof makeProcesses>) => {
  const child: LimitedChild = start("interactive", "tail", ["-c", `${1000 * mebibyte}`], processes)
  child.stdin.on("error", () => {})
  const taken = new Promise<void>((resolve) => child.stdin.write(Buffer.alloc(mebibytes * mebibyte), () => resolve()))
  return { child, taken }
}

/** How nice the session of a process is, where the system shares processors out by sessions. */
const sessionNiceness = (pid: number | undefined) => {
  const file = `/proc/${pid}/autogroup`
  return existsSync(file)
    ? readFileSync(file, "latin1")
        .trim()
        .replace(/^.* nice /, "")
    : "no groups"
}
/** The sixth field of `/proc/<pid>/stat`. */
const sessionOf = (pid: number | "self" | undefined) =>
  readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /s, "")
    .split(" ")[3]

describe("a process", () => {
  it.each(["transfer", "bulk", "background"] as const)(
    "of class %s, and what it starts, has its limits from the beginning",
    async (workClass) => {
      const processes = makeProcesses(limited(workClass, { memory: 100, cpu: 7 }))
      const child = start(workClass, "sh", ["-c", "sh -c 'ulimit -d; ulimit -S -t; ulimit -H -t; ulimit -c'"], processes)
      expect(await text(child.stdout)).toBe("102400\n7\n12\n0\n")
    }
  )

  it("that somebody waits for has them once it turns out not to be short", async () => {
    const child = start("interactive", "sleep", ["100"], makeProcesses(limited("interactive", { memory: 3, cpu: 7 })))
    const limits = () => readFileSync(`/proc/${child.pid}/limits`, "utf8")
    await vi.waitFor(() => expect(limits()).toMatch(/^Max data size +3145728 +3145728 /m), { timeout: 60_000, interval: 20 })
    expect(limits()).toMatch(/^Max cpu time +7 +12 /m)
    child.kill()
    await once(child, "close")
    expect(child.exceeded()).toBeUndefined()
  })

  it("that leads a session lets others go first there too", async () => {
    const { start: startProcess } = makeProcesses(defaultProcessLimits)
    const options = {
      class: "transfer",
      detached: true,
      env: { PATH: process.env.PATH },
      stdio: ["ignore", "ignore", "ignore"]
    } as const
    const children = [1, 2, 3].map(() => startProcess("sleep", ["100"], options))
    const told = () => children.map(({ pid }) => sessionNiceness(pid))
    const expected = existsSync("/proc/self/autogroup") ? "11" : "no groups"
    await vi.waitFor(() => expect(told()).toEqual([expected, expected, expected]), { timeout: 60_000, interval: 20 })
    for (const child of children) child.kill("SIGKILL")
    await Promise.all(children.map((child) => once(child, "close")))
  })

  it.each(["interactive", "bulk", "background"] as const)(
    "of class %s shares no session with the service, and lets it go first",
    async (workClass) => {
      const child = start(workClass, "sleep", ["100"])
      await once(child, "spawn")
      expect(sessionOf(child.pid)).not.toBe(sessionOf("self"))
      const expected = existsSync("/proc/self/autogroup") ? "10" : "no groups"
      await vi.waitFor(() => expect(sessionNiceness(child.pid)).toBe(expected), { timeout: 60_000, interval: 20 })
      child.kill("SIGKILL")
      await once(child, "close")
    }
  )

  it("that wants more memory says so", async () => {
    const child = start("bulk", "git", ["hash-object", "--stdin"], makeProcesses(limited("bulk", { memory: 32 })))
    child.stdin.on("error", () => {})
    child.stdin.end(Buffer.alloc(64 * mebibyte))
    const [errors, [status]] = await Promise.all([text(child.stderr), once(child, "close")])
    expect([status, limitIn(errors)]).toEqual([128, "memory"])
  })

  it("that computes too long is ended", async () => {
    const child = start("bulk", "sh", ["-c", "while :; do :; done"], makeProcesses(limited("bulk", { cpu: 1 })))
    expect(await once(child, "close")).toEqual([null, "SIGXCPU"])
    expect(child.exceeded()).toBe("time")
  })

  it("that takes too long is ended", async () => {
    const processes = makeProcesses(limited("interactive", { wall: 1 }))
    const child = start("interactive", "sleep", ["100"], processes)
    expect(await once(child, "close")).toEqual([null, "SIGKILL"])
    expect(child.exceeded()).toBe("time")
  })

  it("that serves many requests is ended for its memory alone", async () => {
    const processes = makeProcesses(limited("interactive", { memory: 50, wall: 1, cpu: 1 }))
    const child = processes.start("tail", ["-c", `${1000 * mebibyte}`], {
      class: "interactive",
      isLasting: true,
      env: { PATH: process.env.PATH },
      stdio: ["pipe", "pipe", "pipe"]
    })
    child.stdin.on("error", () => {})
    child.stdin.write(Buffer.alloc(80 * mebibyte))
    expect(await once(child, "close")).toEqual([null, "SIGKILL"])
    expect(child.exceeded()).toBe("memory")
  })

  it("that is the largest is ended while all together use too much", async () => {
    const processes = makeProcesses({ ...defaultProcessLimits, totalMemory: 100 * mebibyte })
    const others = [holding(20, processes), holding(30, processes)]
    await Promise.all(others.map(({ taken }) => taken))
    const large = holding(90, processes)
    expect(await once(large.child, "close")).toEqual([null, "SIGKILL"])
    expect([...others, large].map(({ child }) => child.exceeded())).toEqual([undefined, undefined, "together"])
    for (const { child } of others) {
      child.stdin.end()
      child.stdout.resume()
      expect(await once(child, "close")).toEqual([0, null])
    }
  })

  it("is found with all that it started", async () => {
    const processes = makeProcesses(limited("interactive", { memory: 50 }))
    // The shell itself needs next to nothing.
    const child = start(
      "interactive",
      "sh",
      ["-c", `head -c ${80 * mebibyte} /dev/zero | tail -c ${1000 * mebibyte} | sleep 100; exit 3`],
      processes
    )
    child.stdout.resume()
    await vi.waitFor(() => expect(child.exceeded()).toBe("memory"), { timeout: 60_000, interval: 20 })
    child.kill("SIGKILL")
    await once(child, "exit")
  })
})

it("tells which limits hold on this machine, by trying", async () => {
  expect(await enforcement()).toEqual({ memory: true, time: true, late: "holds", watch: true })
})
