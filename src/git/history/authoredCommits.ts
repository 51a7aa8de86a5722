import { Effect } from "effect"
import type { AuthoredCommit } from "../contributors/totals.ts"
import { decodeText } from "../objects/decodeText.ts"
import { consume } from "../process/consume.ts"
import type { GitFailed, Repository } from "../Repository.ts"

/** The side of a symmetric difference on which a commit lies; "right" where there is only one. */
export type Side = "left" | "right"

const fields = ["%m", "%H", "%ct", "%ae", "%an"]
const [newline, zero, space] = [10, 0, 32]
const lines = (counts: string, what: string) => {
  const end = counts.indexOf(what)
  return end === -1 ? 0 : Number(counts.slice(counts.lastIndexOf(" ", end - 2) + 1, end - 1))
}

/** Reads pieces of the log; the counts of a commit follow it in a line of their own, unless it changed nothing. */
const logReader = (onCommit: (commit: AuthoredCommit, side: Side) => void) => {
  let rest: Buffer = Buffer.alloc(0)
  let pending: Buffer | undefined
  const finish = (counts: string) => {
    if (pending === undefined) return
    const [mark, id = "", committedAt, email = "", name = ""] = decodeText(pending).split("\0")
    pending = undefined
    const [additions, deletions] = [lines(counts, "insertion"), lines(counts, "deletion")]
    onCommit({ id, committedAt: Number(committedAt), email, name, additions, deletions }, mark === "<" ? "left" : "right")
  }
  const push = (chunk: Buffer): undefined => {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (let end = data.indexOf(newline, from); end !== -1; end = data.indexOf(newline, from)) {
      if (data[from] === zero) {
        finish("")
        pending = data.subarray(from + 1, end)
      } else if (data[from] === space) finish(data.toString("latin1", from, end))
      from = end + 1
    }
    rest = data.subarray(from)
  }
  return { push, end: () => finish("") }
}

/**
 * Calls back for every commit but merges among `revisions` (such as `<id>`, or `<id>...<id>`), in no order to rely on. A renamed file
 * counts as removed and added again. Without `counts` all are 0, which takes a small part of the time.
 */
export const authoredCommits = (
  repository: Repository,
  revisions: string,
  options: { readonly counts: boolean; readonly timeLimit: number },
  onCommit: (commit: AuthoredCommit, side: Side) => void
): Effect.Effect<void, GitFailed> =>
  Effect.suspend(() => {
    const reader = logReader(onCommit)
    const counts = options.counts ? ["--shortstat", "--no-renames", "--no-ext-diff", "--no-textconv"] : []
    const args = [
      "log",
      "--no-merges",
      "--left-right",
      "--encoding=UTF-8",
      `--format=%x00${fields.join("%x00")}`,
      ...counts,
      revisions,
      "--"
    ]
    return Effect.map(consume(repository, args, reader.push, { timeLimit: options.timeLimit }), () => reader.end())
  })
