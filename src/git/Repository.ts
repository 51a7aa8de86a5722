import { access } from "node:fs/promises"
import { Data, Effect } from "effect"
import { defined } from "../kernel/defined.ts"
import { unavailable } from "../platform/logging/unavailable.ts"

/** A bare repository on this machine. */
export interface Repository {
  /** The absolute path of its folder. */
  readonly path: string
}

/** Whether there is one. */
export const isThere = ({ path }: Repository): Effect.Effect<boolean> =>
  Effect.promise(() =>
    access(path).then(
      () => true,
      () => false
    )
  )

const reasons = {
  output: "the answer is larger than the service may make it",
  time: "the answer takes longer than the service may take",
  space: "there is no space left for the answer",
  memory: "the answer needs more memory than the service may use",
  together: "all that is being done needs more memory than the service may use"
} as const

/** What a process may run out of. */
export type ProcessLimit = "time" | "space" | "memory" | "together"

/** `git` ended with a status other than 0, was cut short, or could not be run at all. Its text is for the log, not for clients. */
export class GitFailed extends Data.TaggedError("GitFailed")<{
  /** The subcommand with its arguments. */
  readonly command: string
  /** The status is null when a signal ended `git`, or it never ran. */
  readonly status: number | null
  readonly stderr: string
  /** Tells which limit `git` exceeded: output, time, space on the disk, memory, or that of all processes together. */
  readonly exceeded?: keyof typeof reasons
  /** Why it could not be run, or did not end well. */
  readonly cause?: unknown
}> {
  get [unavailable](): string | undefined {
    return this.exceeded && reasons[this.exceeded]
  }
  override get message() {
    const end = this.exceeded === undefined ? `ended with ${this.status}` : `exceeded its limit of ${this.exceeded}`
    return `git ${this.command} ${end}: ${this.stderr.trim()}`
  }
}

/** Another git holds a lock on the same refs, or was killed while it did; once the lock is old, it is removed. */
class Locked extends Data.Error<{ readonly lock: string }> {
  get [unavailable](): string {
    return `another process is changing the repository: it holds ${this.lock}`
  }
}

/** Nothing can be written where the repository is. */
class ReadOnly extends Data.Error {
  get [unavailable](): string {
    return "the disk can only be read"
  }
}

const readOnlyIn = (stderr: string): ReadOnly | undefined =>
  stderr.includes("Read-only file system") ? new ReadOnly() : undefined

/** The lock of which git complains, as its path in the repository. */
const lockIn = (stderr: string): Locked | undefined => {
  const [, lock] = /Unable to create '(?:.*?\.git\/)?(?:\.\/)?(.+\.lock)': File exists/.exec(stderr) ?? []
  return lock === undefined ? undefined : new Locked({ lock })
}

interface BadEnd {
  readonly status: number | null
  readonly stderr: string
  readonly exceeded: GitFailed["exceeded"]
}

/** The limit that `git`, or a program that it started, complains of. Signal 24 is that of processor time. */
export const limitIn = (stderr: string): ProcessLimit | undefined => {
  if (/No space left on device|Disk quota exceeded/.test(stderr)) return "space"
  if (/out of memory|cannot allocate memory|attempting to allocate \d+ over limit/i.test(stderr)) return "memory"
  return stderr.includes("died of signal 24") ? "time" : undefined
}

/** The failure of a process that ended badly. */
export const badEnd = (args: ReadonlyArray<string>, { exceeded, status, stderr }: BadEnd): GitFailed => {
  const limit = exceeded ?? limitIn(stderr)
  return new GitFailed({
    command: args.join(" "),
    status,
    stderr,
    ...defined({ exceeded: limit }),
    cause: lockIn(stderr) ?? readOnlyIn(stderr)
  })
}

/** A process could not be started. */
export const notStarted = (args: ReadonlyArray<string>, cause: Error): GitFailed =>
  new GitFailed({ command: args.join(" "), status: null, stderr: cause.message, cause })

/** The failure with the cause that was found afterwards, if there is one. */
export const withCause = (failure: GitFailed, cause: Error | undefined): GitFailed => {
  const { command, exceeded, status, stderr } = failure
  return cause === undefined ? failure : new GitFailed({ command, status, stderr, ...defined({ exceeded }), cause })
}

/** The failure of an object that must exist but does not: the repository is damaged. */
export const missingObject = (type: "commit" | "tree", id: string): GitFailed =>
  new GitFailed({ command: `cat-file ${type} ${id}`, status: null, stderr: "missing" })
