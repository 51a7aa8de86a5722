import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import { decodeText } from "../objects/decodeText.ts"
import { requireFullIds } from "../objects/fullIds.ts"
import { run } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"

/** Lines that follow each other and come from the same commit. */
export interface BlameRange {
  /** The full id of the commit. */
  readonly commit: string
  /** The lines without their ends; a CR stays. */
  readonly lines: ReadonlyArray<string>
}

export interface BlameRequest {
  /** The full id of the commit in which the file is read. */
  readonly commit: string
  /** The path of a file that exists. */
  readonly path: string
  /** The numbers of the first and last line, from 1; the default is all lines. */
  readonly lines?: { readonly start: number; readonly end: number }
}

const headLine = /^([0-9a-f]{40}) \d+ \d+/
const [tab, newline] = [9, 10]

/** Reads what `git blame --porcelain` prints: a line begins with a tab, what is in front of it tells its commit. */
const parse = (output: Buffer): ReadonlyArray<BlameRange> => {
  const ranges: Array<{ readonly commit: string; readonly lines: Array<string> }> = []
  let commit = ""
  for (let at = 0; at < output.length; ) {
    const found = output.indexOf(newline, at)
    const end = found === -1 ? output.length : found
    if (output[at] === tab) {
      const line = decodeText(output.subarray(at + 1, end))
      const last = ranges.at(-1)
      if (last?.commit === commit) last.lines.push(line)
      else ranges.push({ commit, lines: [line] })
    } else commit = headLine.exec(output.toString("latin1", at, Math.min(end, at + 80)))?.[1] ?? commit
    at = end + 1
  }
  return ranges
}

/** What git says instead, and what is answered then. Names reach it as UTF-8. */
const explain = (failure: GitFailed) => {
  if (/ has only \d+ lines?$/m.test(failure.stderr)) return Effect.succeed([])
  return /^fatal: no such path /m.test(failure.stderr) ? Effect.undefined : Effect.fail(failure)
}

/**
 * Which commit each line of a file comes from. Lines beyond its end are left out. Undefined: git cannot be asked for a name that is not
 * UTF-8.
 */
export const blame = Effect.fnUntraced(function* (
  repository: Repository,
  { commit, lines, path }: BlameRequest
): Effect.fn.Return<ReadonlyArray<BlameRange> | undefined, GitFailed> {
  yield* requireFullIds([commit])
  const range = lines === undefined ? [] : [`-L${lines.start},${lines.end}`]
  return yield* run(repository, ["blame", "--porcelain", ...range, commit, "--", path], { maxOutput: 256 * 1024 * 1024 }).pipe(
    Effect.map(({ stdout }) => parse(stdout)),
    Effect.catchTag("GitFailed", explain)
  )
}, spanned("git.blame"))
