import { type Duplex, PassThrough, type Readable, type Writable } from "node:stream"
import { fileURLToPath } from "node:url"
import { defined } from "../../kernel/defined.ts"
import { reasonOf } from "../../platform/unavailable.ts"
import { environment } from "../process/environment.ts"
import { signalGroup, spawnGit } from "../process/spawnGit.ts"
import type { Repository } from "../Repository.ts"

export interface ProcessEnd {
  /** null when a signal ended it, or it never ran. */
  readonly status: number | null
  readonly stderr: string
  /** What it could not be started for want of; undefined when it ran. */
  readonly shortage: string | undefined
}

/** A program of git that serves one request. */
export interface GitProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  /** Descriptor 3, which its hooks inherit. */
  readonly hooks: Duplex
  /** When it ended and everything it said was read. Never fails. */
  readonly end: Promise<ProcessEnd>
  /**
   * Ends its input and conversation. One that does not end of itself within `patience` is asked to, with its children, and made to
   * five seconds later.
   */
  readonly stop: () => void
}

export interface GitProcessOptions {
  readonly repository: Repository
  /** Subcommand and options; the folder of the repository comes behind. */
  readonly args: ReadonlyArray<string>
  readonly config?: ReadonlyArray<string>
  /** `version=2` and such. */
  readonly protocol: string | undefined
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds for it to clean up: one that is asked to end while its children write leaves files. Default 0. */
  readonly patience?: number
}

const hooksFolder = fileURLToPath(new URL("../hooks", import.meta.url))
export const hookPaths: ReadonlyArray<string> = ["pre-receive", "proc-receive"].map((name) => `${hooksFolder}/${name}`)

const isolated: Readonly<Record<string, string>> = { ...environment, GIT_NO_REPLACE_OBJECTS: "1" }
const fixed = ["safe.directory=*", "protocol.allow=never", "gc.auto=0", `core.hooksPath=${hooksFolder}`]
const keptOfStderr = 8 * 1024
const graceMillis = 5_000

export const startGit = ({ args, config = [], env = {}, patience = 0, protocol, repository }: GitProcessOptions): GitProcess => {
  const settings = [...fixed, ...config].flatMap((setting) => ["-c", setting])
  const child = spawnGit([...settings, ...args, repository.path], {
    cwd: "/",
    env: { ...isolated, ...env, ...defined({ GIT_PROTOCOL: protocol }) },
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    detached: true
  })
  const hooks = child.stdio[3] ?? new PassThrough()
  let stderr = ""
  child.stderr.on("data", (chunk: Buffer) => {
    if (stderr.length < keptOfStderr) stderr += chunk.toString("utf8")
  })
  const timers: Array<NodeJS.Timeout> = []
  let isOver = false
  const end = new Promise<ProcessEnd>((resolve) => {
    child.once("error", (error) => resolve({ status: null, stderr: error.message, shortage: reasonOf(error) }))
    child.once("close", (status) => {
      isOver = true
      for (const timer of timers) clearTimeout(timer)
      resolve({ status, stderr: stderr.trim(), shortage: undefined })
    })
    // Its end of the conversation stays open otherwise.
    child.once("exit", () => hooks.destroy())
  })
  // It may end without reading what it was given, or hearing an answer.
  child.stdin.on("error", () => {})
  hooks.on("error", () => {})
  const stop = () => {
    child.stdin.destroy()
    hooks.destroy()
    // Whoever reads no more must not keep it from closing.
    child.stdout.resume()
    // Of a process that has ended, the id may be another one's by now.
    if (isOver || timers.length > 0) return
    const signal = (name: NodeJS.Signals, delay: number) => timers.push(setTimeout(() => signalGroup(child, name), delay))
    if (patience === 0) signalGroup(child, "SIGTERM")
    else signal("SIGTERM", patience)
    signal("SIGKILL", patience + graceMillis)
  }
  return { stdin: child.stdin, stdout: child.stdout, hooks, end, stop }
}
