import { ChildProcess, type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from "node:child_process"
import { setPriority } from "node:os"
import { type Duplex, PassThrough } from "node:stream"
import { Context, Metric } from "effect"

export interface GitChild extends ChildProcessWithoutNullStreams {
  /** Descriptor 3, if the options ask for it. */
  readonly stdio: [...ChildProcessWithoutNullStreams["stdio"]] & { readonly 3?: Duplex }
}

const attempt = (args: ReadonlyArray<string>, options: SpawnOptions): ChildProcess => {
  try {
    return spawn("git", [...args], options)
  } catch (error) {
    const child = new ChildProcess()
    process.nextTick(() => child.emit("error", error))
    return child
  }
}

const running = Metric.gauge("chronoforge_git_processes", { description: "Processes of git that run." })
const started = Metric.counter("chronoforge_git_processes_total", {
  description: "Processes of git that were started, or could not be: those have outcome failed.",
  incremental: true
})
const context = Context.empty()
let count = 0
running.updateUnsafe(count, context)

/** Counts a process as long as it runs. */
const countProcess = (child: ChildProcess): void => {
  const outcome = child.pid === undefined ? "failed" : "started"
  Metric.withAttributes(started, { outcome }).updateUnsafe(1, context)
  if (child.pid === undefined) return
  count += 1
  running.updateUnsafe(count, context)
  child.once("exit", () => {
    count -= 1
    running.updateUnsafe(count, context)
  })
}

/** Signals a child and all that it started, where it leads a group of its own. */
export const signalGroup = ({ pid }: GitChild, signal: NodeJS.Signals): void => {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // The process has ended.
  }
}

/** Lets other processes, such as this one, go first. */
const lowerPriority = ({ pid }: ChildProcess, niceness: number): void => {
  try {
    if (pid !== undefined && niceness > 0) setPriority(pid, niceness)
  } catch {
    // The process has ended, or the system does not allow it.
  }
}

export interface GitOptions extends SpawnOptions {
  /** From 0, the default, to 19: the higher, the more others go first. */
  readonly niceness?: number
}

/**
 * Starts `git`; whoever starts it must end it. One that could not be started always tells so by its `error` event, and has streams that
 * have ended: of itself Node throws for want of memory, and leaves out the streams where too many files are open.
 */
export const spawnGit = (args: ReadonlyArray<string>, { niceness = 0, ...options }: GitOptions): GitChild => {
  const child = attempt(args, options)
  countProcess(child)
  lowerPriority(child, niceness)
  if (child.pid === undefined) {
    const [stdin, stdout, stderr, hooks] = Array.from({ length: 4 }, () => new PassThrough().end())
    // Without a process id, a signal would reach the group of this process.
    Object.assign(child, { stdin, stdout, stderr, stdio: [stdin, stdout, stderr, hooks, null], kill: () => false })
  }
  return child as GitChild
}
