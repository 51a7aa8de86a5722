import { once } from "node:events"
import { existsSync } from "node:fs"
import { mebibyte } from "../../kernel/units.ts"
import { makeProcesses } from "./Processes.ts"
import { defaultProcessLimits } from "./ProcessLimits.ts"
import { hasPrlimit } from "./Warden.ts"

/** Which limits of processes hold on this machine. */
export interface Enforcement {
  /** Whether the system refuses memory beyond the limit. */
  readonly memory: boolean
  /** Whether short processes are limited only once they turn out not to be short, which costs them nothing. */
  readonly late: boolean
  /** Whether the memory of all together is watched, and what a killed service started is found. */
  readonly watch: boolean
}

/** Tries whether a program gets more memory than it may have; the bytes are those that it keeps. */
const isMemoryLimited = async (): Promise<boolean> => {
  const limits = { ...defaultProcessLimits, bulk: { memory: 16 * mebibyte, cpu: 10, wall: 10 } }
  const child = makeProcesses(limits).start("git", ["hash-object", "--stdin"], {
    class: "bulk",
    cwd: "/",
    env: { PATH: process.env.PATH },
    stdio: ["pipe", "ignore", "ignore"]
  })
  child.stdin.on("error", () => {})
  child.stdin.end(Buffer.alloc(48 * mebibyte))
  const [status] = await once(child, "close")
  return status !== 0
}

export const enforcement = async (): Promise<Enforcement> => ({
  memory: await isMemoryLimited(),
  late: hasPrlimit,
  watch: existsSync("/proc/self/environ")
})
