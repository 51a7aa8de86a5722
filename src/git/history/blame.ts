import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import { decodeText } from "../objects/decodeText.ts"
import { requireFullIds } from "../objects/fullIds.ts"
import { consumeLines } from "../process/consumeLines.ts"
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
const tab = 9

/** What git may print: some 500,000 short lines. What is made of it, and the answer, take several times as much. */
const maxOutput = 32 * 1024 * 1024

/** Reads what `git blame --porcelain` prints, line by line: one of the file begins with a tab, what is in front of it tells its commit. */
const reader = () => {
  const ranges: Array<{ readonly commit: string; readonly lines: Array<string> }> = []
  let commit = ""
  const onLine = (bytes: Buffer) => {
    if (bytes[0] !== tab) {
      commit = headLine.exec(bytes.toString("latin1", 0, 80))?.[1] ?? commit
      return
    }
    const line = decodeText(bytes.subarray(1))
    const last = ranges.at(-1)
    if (last?.commit === commit) last.lines.push(line)
    else ranges.push({ commit, lines: [line] })
  }
  return { ranges, onLine }
}

/** What git says instead, and what is answered then. Names reach it as UTF-8. */
const explain = (failure: GitFailed) => {
  if (/ has only \d+ lines?$/m.test(failure.stderr)) return Effect.succeed([])
  return /^fatal: no such path /m.test(failure.stderr) ? Effect.undefined : Effect.fail(failure)
}

/**
 * Which commit each line of a file comes from. Lines beyond its end are left out. Undefined: git cannot be asked for a name that is not
 * UTF-8. Fails with `exceeded: "output"` for too many lines.
 */
export const blame = Effect.fnUntraced(function* (
  repository: Repository,
  { commit, lines, path }: BlameRequest
): Effect.fn.Return<ReadonlyArray<BlameRange> | undefined, GitFailed> {
  yield* requireFullIds([commit])
  const range = lines === undefined ? [] : [`-L${lines.start},${lines.end}`]
  const { onLine, ranges } = reader()
  return yield* consumeLines(repository, ["blame", "--porcelain", ...range, commit, "--", path], onLine, { maxOutput }).pipe(
    Effect.as(ranges),
    Effect.catchTag("GitFailed", explain)
  )
}, spanned("git.blame"))
