import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { mebibyte } from "../../kernel/units.ts"
import type { WorkClass } from "../work/CurrentWork.ts"
import { makeProcesses } from "./Processes.ts"
import { defaultProcessLimits, type ProcessLimit } from "./ProcessLimits.ts"
import { hasPrlimit } from "./Warden.ts"

/** Which limits of processes hold on this machine. */
export interface Enforcement {
  /** Whether the system refuses memory beyond the limit. */
  readonly memory: boolean
  /** Whether the system ends what computes longer than its limit. */
  readonly time: boolean
  /**
   * Whether short processes are limited once they turn out not to be short, which costs them nothing; `missing` where there is no `prlimit`, and they
   * are limited from the beginning, `failing` where it does nothing.
   */
  readonly late: "holds" | "missing" | "failing"
  /** Whether the memory of all together is watched, and what a killed service started is found. */
  readonly watch: boolean
}

const start = (workClass: WorkClass, limit: ProcessLimit, command: string, ...args: ReadonlyArray<string>) =>
  makeProcesses({ ...defaultProcessLimits, [workClass]: limit }).start(command, args, {
    class: workClass,
    env: { PATH: process.env.PATH },
    stdio: ["pipe", "ignore", "ignore"]
  })

/** How many seconds a try may take: a machine that has much to do gives a program little of its time. */
const maxSeconds = 30

/** Tries whether a program gets more memory than it may have; the bytes are those that it keeps. */
const isMemoryLimited = async (): Promise<boolean> => {
  const child = start("bulk", { memory: 16 * mebibyte, cpu: 10, wall: maxSeconds }, "git", "hash-object", "--stdin")
  child.stdin.on("error", () => {})
  child.stdin.end(Buffer.alloc(48 * mebibyte))
  const [status] = await once(child, "close")
  return status !== 0
}

/** Tries whether a program that computes for longer than a second is ended by the system, before the service ends it. */
const isTimeLimited = async (): Promise<boolean> => {
  const child = start("bulk", { memory: 64 * mebibyte, cpu: 1, wall: maxSeconds }, "sh", "-c", "while :; do :; done")
  const [, signal] = await once(child, "close")
  return signal === "SIGXCPU"
}

const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Tries whether a program that runs already gets a limit. */
const isLimitedLate = async (): Promise<boolean> => {
  const child = start("interactive", { memory: 64 * mebibyte, cpu: 7, wall: maxSeconds }, "sleep", `${maxSeconds}`)
  await once(child, "spawn")
  const isLimited = () => /^Max cpu time +7 /m.test(readFileSync(`/proc/${child.pid}/limits`, "latin1"))
  let tries = maxSeconds * 10
  while (!isLimited() && --tries > 0) await sleep(100)
  child.kill("SIGKILL")
  return tries > 0
}

export const enforcement = async (): Promise<Enforcement> => {
  const [memory, time, isLate] = await Promise.all([isMemoryLimited(), isTimeLimited(), hasPrlimit && isLimitedLate()])
  const late = isLate ? "holds" : hasPrlimit ? "failing" : "missing"
  return { memory, time, late, watch: existsSync("/proc/self/environ") }
}
