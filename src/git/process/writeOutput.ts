import { type Duplex, pipeline } from "node:stream"
import { Effect } from "effect"
import { Processes } from "../../platform/processes/Processes.ts"
import { badEnd, type GitFailed, notStarted, type Repository } from "../Repository.ts"
import { DiskFull } from "./SpoolFile.ts"
import type { Spool } from "./spool.ts"
import { type StartOptions, start } from "./start.ts"

export interface WriteOptions extends Pick<StartOptions, "class" | "env"> {
  /** What the output goes through. */
  readonly through?: ReadonlyArray<Duplex>
  /** The standard input, which is empty by default. */
  readonly input?: string
  /** The highest number of milliseconds. */
  readonly timeLimit: number
}

const maxStderrLength = 8 * 1024

/**
 * Writes what `git` prints into a spool or another sink, and calls `onStart` when its first bytes are there. Fails when `git` does, such as for what is not
 * there. Interrupting ends the process. The place for it is the caller's to take.
 */
export const writeOutput = (
  repository: Repository,
  args: ReadonlyArray<string>,
  options: WriteOptions,
  spool: Pick<Spool, "sink">,
  onStart: () => void
): Effect.Effect<void, GitFailed> =>
  Effect.flatMap(Processes, (processes) =>
    Effect.callback((resume) => {
      const child = start(processes, repository, args, { ...options, hasInput: options.input !== undefined })
      let stderr = ""
      let exceeded: GitFailed["exceeded"]
      const timer = setTimeout(() => {
        exceeded = "time"
        child.kill("SIGKILL")
      }, options.timeLimit)
      const fail = (failure: GitFailed) => {
        clearTimeout(timer)
        child.kill("SIGKILL")
        resume(Effect.fail(failure))
      }
      child.once("error", (error) => fail(notStarted(args, error)))
      // The process may end without reading its input.
      child.stdin.on("error", () => {})
      child.stdin.end(options.input)
      child.stderr.on("data", (chunk: Buffer) => {
        if (stderr.length < maxStderrLength) stderr += chunk.toString("utf8")
      })
      const written = new Promise<Error | null>((resolve) => {
        child.stdout.once("data", onStart)
        pipeline([child.stdout, ...(options.through ?? []), spool.sink()], (error) => resolve(error ?? null))
      })
      child.once("close", async (status) => {
        if (status !== 0) return fail(badEnd(args, { status, stderr, exceeded: exceeded ?? child.exceeded() }))
        const error = await written
        if (error instanceof DiskFull) exceeded = "space"
        if (error !== null) return fail(badEnd(args, { status, stderr: error.message, exceeded }))
        clearTimeout(timer)
        resume(Effect.void)
      })
      // A sink that takes no more must not leave `git` waiting.
      written.then((error) => error !== null && child.kill("SIGKILL"))
      return Effect.promise(async () => {
        clearTimeout(timer)
        child.kill("SIGKILL")
        child.stdout.destroy()
        await written
      })
    })
  )
