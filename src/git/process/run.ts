import { Effect } from "effect"
import { mebibyte } from "../../kernel/units.ts"
import { GitFailed, type Repository } from "../Repository.ts"
import { type ConsumeOptions, consume } from "./consume.ts"

export interface RunOptions extends ConsumeOptions {
  /** The highest number of bytes of standard output; the default is 64 MiB. */
  readonly maxOutput?: number
}

export interface Output {
  readonly status: number
  readonly stdout: Buffer
}

/** Runs `git` to its end and answers what it printed. Interrupting ends the process. */
export const run = (
  repository: Repository,
  args: ReadonlyArray<string>,
  { maxOutput = 64 * mebibyte, ...options }: RunOptions = {}
): Effect.Effect<Output, GitFailed> =>
  Effect.suspend(() => {
    const chunks: Array<Buffer> = []
    let size = 0
    const keep = (chunk: Buffer) => {
      size += chunk.length
      if (size > maxOutput) return "enough"
      chunks.push(chunk)
      return
    }
    return Effect.flatMap(consume(repository, args, keep, options), (status) =>
      status === null
        ? Effect.fail(new GitFailed({ command: args.join(" "), status, stderr: "", exceeded: "output" }))
        : Effect.succeed({ status, stdout: Buffer.concat(chunks, size) })
    )
  })

/** Runs `git` and answers what it printed, as UTF-8 text without the last line end. */
export const runText = (repository: Repository, args: ReadonlyArray<string>, options?: RunOptions) =>
  Effect.map(run(repository, args, options), ({ stdout }) => stdout.toString("utf8").replace(/\n$/, ""))
