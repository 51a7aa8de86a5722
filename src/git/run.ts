import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { Effect } from "effect"
import { environment } from "./environment.ts"
import { GitFailed, type Repository } from "./Repository.ts"

export interface RunOptions {
  /** Sent to standard input, which is empty otherwise. */
  readonly input?: Uint8Array | string
  /** Bytes of standard output at most; default 64 MiB. */
  readonly maxOutput?: number
  /** Milliseconds at most; default 60,000. */
  readonly timeLimit?: number
  /** Exit statuses that are answers rather than failures; default only 0. */
  readonly statuses?: ReadonlyArray<number>
  /** Environment variables besides the fixed ones. */
  readonly env?: Readonly<Record<string, string>>
}

export interface Output {
  readonly status: number
  readonly stdout: Buffer
}

const mebibyte = 1024 * 1024
const keptOfStderr = 8 * 1024

const isolated: Readonly<Record<string, string>> = {
  ...environment,
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_LITERAL_PATHSPECS: "1"
}

/** A folder may belong to another user, such as that of a container's volume. */
const fixed = ["-c", "safe.directory=*", "-c", "core.quotePath=false", "-c", "protocol.allow=never", "-c", "gc.auto=0"]

/**
 * Starts `git` on a repository; whoever starts it must end it. Arguments are never read by a shell. Names that come from users
 * may only stand where `git` reads no option: behind `--end-of-options` or `--`, or checked by `refNames.ts` or as object ids.
 */
export const start = (
  repository: Repository,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): ChildProcessWithoutNullStreams =>
  spawn("git", [...fixed, `--git-dir=${repository.path}`, ...args], {
    cwd: "/",
    env: { ...isolated, ...env },
    stdio: ["pipe", "pipe", "pipe"]
  })

/** Runs `git` to its end and answers what it printed. Interrupting ends the process. */
export const run = (
  repository: Repository,
  args: ReadonlyArray<string>,
  options: RunOptions = {}
): Effect.Effect<Output, GitFailed> =>
  Effect.callback((resume) => {
    const { env, input, maxOutput = 64 * mebibyte, statuses = [0], timeLimit = 60_000 } = options
    const child = start(repository, args, env)
    const chunks: Array<Buffer> = []
    let size = 0
    let stderr = ""
    let exceeded: GitFailed["exceeded"]
    const end = (reason: GitFailed["exceeded"]) => {
      exceeded = reason
      child.kill("SIGKILL")
    }
    const timer = setTimeout(() => end("time"), timeLimit)
    const fail = (status: number | null, text: string) => {
      clearTimeout(timer)
      const reason = exceeded === undefined ? {} : { exceeded }
      resume(Effect.fail(new GitFailed({ command: args.join(" "), status, stderr: text, ...reason })))
    }
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size > maxOutput) end("output")
      else chunks.push(chunk)
    })
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderr.length < keptOfStderr) stderr += chunk.toString("utf8")
    })
    child.once("error", (error) => fail(null, error.message))
    child.once("close", (status) => {
      if (exceeded !== undefined || status === null || !statuses.includes(status)) return fail(status, stderr)
      clearTimeout(timer)
      resume(Effect.succeed({ status, stdout: Buffer.concat(chunks, size) }))
    })
    // It may end without reading what it was given.
    child.stdin.on("error", () => {})
    child.stdin.end(input)
    return Effect.sync(() => {
      clearTimeout(timer)
      child.kill("SIGKILL")
    })
  })

/** What `git` printed, as UTF-8 text without the last line's end. */
export const runText = (repository: Repository, args: ReadonlyArray<string>, options?: RunOptions) =>
  Effect.map(run(repository, args, options), ({ stdout }) => stdout.toString("utf8").replace(/\n$/, ""))
