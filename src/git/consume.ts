import { Effect } from "effect"
import { GitFailed, type Repository } from "./Repository.ts"
import { type RunOptions, start } from "./run.ts"

type ConsumeOptions = Pick<RunOptions, "env" | "input" | "timeLimit">

const keptOfStderr = 8 * 1024

/**
 * Runs `git` and hands on what it prints, piece by piece: nothing of it is kept here. When `onChunk` answers "enough" the process is
 * ended and the answer is "stopped"; otherwise it is "ended", once the process ended with status 0. Interrupting ends the process.
 */
export const consume = (
  repository: Repository,
  args: ReadonlyArray<string>,
  onChunk: (chunk: Buffer) => "enough" | undefined,
  options: ConsumeOptions = {}
): Effect.Effect<"ended" | "stopped", GitFailed> =>
  Effect.callback((resume) => {
    const { env, input, timeLimit = 60_000 } = options
    const child = start(repository, args, env)
    let stderr = ""
    let isStopped = false
    let exceeded: GitFailed["exceeded"]
    const stop = () => {
      isStopped = true
      child.kill("SIGKILL")
    }
    const timer = setTimeout(() => {
      exceeded = "time"
      child.kill("SIGKILL")
    }, timeLimit)
    const fail = (status: number | null, text: string) => {
      clearTimeout(timer)
      const reason = exceeded === undefined ? {} : { exceeded }
      resume(Effect.fail(new GitFailed({ command: args.join(" "), status, stderr: text, ...reason })))
    }
    child.stdout.on("data", (chunk: Buffer) => {
      if (isStopped) return
      try {
        if (onChunk(chunk) === "enough") stop()
      } catch (defect) {
        stop()
        resume(Effect.die(defect))
      }
    })
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderr.length < keptOfStderr) stderr += chunk.toString("utf8")
    })
    child.once("error", (error) => fail(null, error.message))
    child.once("close", (status) => {
      if (!isStopped && status !== 0) return fail(status, stderr)
      clearTimeout(timer)
      resume(Effect.succeed(isStopped ? "stopped" : "ended"))
    })
    // It may end without reading what it was given.
    child.stdin.on("error", () => {})
    child.stdin.end(input)
    return Effect.sync(() => {
      clearTimeout(timer)
      child.kill("SIGKILL")
    })
  })
