import { Effect } from "effect"
import { mebibyte } from "../../kernel/units.ts"
import { GitFailed, type Repository } from "../Repository.ts"
import { type ConsumeOptions, consume } from "./consume.ts"

export interface LineOptions extends ConsumeOptions {
  /** The highest number of bytes of standard output; the default is 64 MiB. */
  readonly maxOutput?: number
}

const newline = 10

/**
 * Runs `git` to its end and hands on each line that it prints, without its end, as they come: so many lines hold nothing up. The bytes of a
 * line are there until the next one. Fails with `exceeded: "output"` for what is too much.
 */
export const consumeLines = (
  repository: Repository,
  args: ReadonlyArray<string>,
  onLine: (line: Buffer) => void,
  { maxOutput = 64 * mebibyte, ...options }: LineOptions = {}
): Effect.Effect<void, GitFailed> =>
  Effect.suspend(() => {
    let size = 0
    /** The pieces of a line of which the end is not there yet. */
    let begun: Array<Buffer> = []
    const onChunk = (chunk: Buffer) => {
      size += chunk.length
      if (size > maxOutput) return "enough"
      let from = 0
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
        const line = chunk.subarray(from, end)
        onLine(begun.length === 0 ? line : Buffer.concat([...begun, line]))
        begun = []
        from = end + 1
      }
      if (from < chunk.length) begun.push(chunk.subarray(from))
      return
    }
    return Effect.flatMap(consume(repository, args, onChunk, options), (status) => {
      if (status === null) return Effect.fail(new GitFailed({ command: args.join(" "), status, stderr: "", exceeded: "output" }))
      if (begun.length > 0) onLine(Buffer.concat(begun))
      return Effect.void
    })
  })
