import { type Duplex, PassThrough, type Readable, type Writable } from "node:stream"
import { fileURLToPath } from "node:url"
import { defined } from "../../kernel/defined.ts"
import { reasonOf } from "../../platform/logging/unavailable.ts"
import type { Processes } from "../../platform/processes/Processes.ts"
import type { WorkClass } from "../../platform/work/CurrentWork.ts"
import { allocationLimit, environment } from "../process/environment.ts"
import { limitIn, type ProcessLimit, type Repository } from "../Repository.ts"

export interface ProcessEnd {
  /** null when a signal ended it, or it never ran. */
  readonly status: number | null
  readonly stderr: string
  /** What it could not be started for want of; undefined when it ran. */
  readonly shortage: string | undefined
  /** The limit that it exceeded, or that it complains of. */
  readonly exceeded: ProcessLimit | undefined
}

/** A program of git that serves one request. */
export interface GitProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  /** Descriptor 3, which its hooks inherit. */
  readonly hooks: Duplex
  /** Completes when the process has ended and its output was read. It never fails. */
  readonly end: Promise<ProcessEnd>
  /**
   * Ends its input and conversation. One that does not end of itself within `terminateDelayMillis` is asked to, with its children, and made to
   * five seconds later.
   */
  readonly stop: () => void
}

export interface GitProcessOptions {
  readonly repository: Repository
  /** Subcommand and options; the folder of the repository comes behind. */
  readonly args: ReadonlyArray<string>
  readonly config?: ReadonlyArray<string>
  /** The protocol, such as `version=2`. */
  readonly protocol: string | undefined
  readonly env?: Readonly<Record<string, string>>
  readonly processes: Processes
  readonly class: WorkClass
  /** The milliseconds before SIGTERM in which the process may clean up, because its children leave files otherwise; the default is 0. */
  readonly terminateDelayMillis?: number
}

const hooksFolder = fileURLToPath(new URL("../hooks", import.meta.url))
export const hookPaths: ReadonlyArray<string> = ["pre-receive", "proc-receive"].map((name) => `${hooksFolder}/${name}`)

const fixed = ["safe.directory=*", "protocol.allow=never", "gc.auto=0", `core.hooksPath=${hooksFolder}`]
const maxStderrLength = 8 * 1024
const killDelayMillis = 5_000

export const startGit = ({
  args,
  config = [],
  env = {},
  processes,
  class: workClass,
  terminateDelayMillis = 0,
  protocol,
  repository
}: GitProcessOptions): GitProcess => {
  const settings = [...fixed, ...config].flatMap((setting) => ["-c", setting])
  const child = processes.start("git", [...settings, ...args, repository.path], {
    cwd: "/",
    env: { ...environment, ...allocationLimit(processes, workClass), ...env, ...defined({ GIT_PROTOCOL: protocol }) },
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    detached: true,
    class: workClass
  })
  const hooks = child.stdio[3] ?? new PassThrough()
  let stderr = ""
  child.stderr.on("data", (chunk: Buffer) => {
    if (stderr.length < maxStderrLength) stderr += chunk.toString("utf8")
  })
  const timers: Array<NodeJS.Timeout> = []
  let hasEnded = false
  const end = new Promise<ProcessEnd>((resolve) => {
    child.once("error", (error) =>
      resolve({ status: null, stderr: error.message, shortage: reasonOf(error), exceeded: undefined })
    )
    child.once("close", (status) => {
      hasEnded = true
      for (const timer of timers) clearTimeout(timer)
      resolve({ status, stderr: stderr.trim(), shortage: undefined, exceeded: child.exceeded() ?? limitIn(stderr) })
    })
    // This side of the channel would stay open otherwise.
    child.once("exit", () => hooks.destroy())
  })
  // The process may end without reading its input or an answer.
  child.stdin.on("error", () => {})
  hooks.on("error", () => {})
  const stop = () => {
    child.stdin.destroy()
    hooks.destroy()
    // A reader that stopped must not keep the process from closing.
    child.stdout.resume()
    // The id of a process that has ended may belong to another process by now.
    if (hasEnded || timers.length > 0) return
    const signal = (name: NodeJS.Signals, delay: number) => timers.push(setTimeout(() => child.killGroup(name), delay))
    if (terminateDelayMillis === 0) child.killGroup("SIGTERM")
    else signal("SIGTERM", terminateDelayMillis)
    signal("SIGKILL", terminateDelayMillis + killDelayMillis)
  }
  return { stdin: child.stdin, stdout: child.stdout, hooks, end, stop }
}
