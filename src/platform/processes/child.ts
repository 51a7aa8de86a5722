import { ChildProcess, type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from "node:child_process"
import { setPriority } from "node:os"
import { type Duplex, PassThrough } from "node:stream"

/** A process that was started. Its input, output and errors are streams, and its descriptor 3 is if the options ask for it. */
export interface Child extends ChildProcessWithoutNullStreams {
  readonly stdio: [...ChildProcessWithoutNullStreams["stdio"]] & { readonly 3?: Duplex }
}

const attempt = (command: string, args: ReadonlyArray<string>, options: SpawnOptions): ChildProcess => {
  try {
    return spawn(command, [...args], options)
  } catch (error) {
    const child = new ChildProcess()
    process.nextTick(() => child.emit("error", error))
    return child
  }
}

/**
 * Starts a process. One that could not be started always tells so by its `error` event, and has streams that have ended: of itself Node
 * throws for want of memory, and leaves out the streams where too many files are open.
 */
export const startChild = (command: string, args: ReadonlyArray<string>, options: SpawnOptions): Child => {
  const child = attempt(command, args, options)
  if (child.pid === undefined) {
    const [stdin, stdout, stderr, other] = Array.from({ length: 4 }, () => new PassThrough().end())
    // Without a process id, a signal would reach the group of this process.
    Object.assign(child, { stdin, stdout, stderr, stdio: [stdin, stdout, stderr, other, null], kill: () => false })
  }
  return child as Child
}

/** Lets other processes, such as this one, go first. */
export const lowerPriority = ({ pid }: ChildProcess, niceness: number): void => {
  try {
    if (pid !== undefined && niceness > 0) setPriority(pid, niceness)
  } catch {
    // The process has ended, or the system does not allow it.
  }
}

/** Signals a process and all that it started, where it leads a group of its own. */
export const signalGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // The process has ended.
  }
}
