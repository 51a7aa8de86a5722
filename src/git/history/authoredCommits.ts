import { Effect } from "effect"
import { decodeText } from "../objects/decodeText.ts"
import { consume } from "../process/consume.ts"
import type { GitFailed, Repository } from "../Repository.ts"

/** A commit with what counting needs of it. */
export interface AuthoredCommit {
  readonly id: string
  /** The committer's time in seconds since 1970. */
  readonly committedAt: number
  readonly email: string
  readonly name: string
  readonly additions: number
  readonly deletions: number
}

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

/** Commits as `git` names them, such as `<id>...<id>`, or the full ids themselves, a line each. */
export type CommitSource = { readonly revisions: string } | { readonly ids: Buffer }

const sourceOptions = (source: CommitSource) =>
  "ids" in source
    ? { args: ["--stdin", "--no-walk=unsorted"], input: source.ids }
    : { args: ["--left-right", source.revisions, "--"], input: "" }

/**
 * Calls back for every commit but merges of these, in no order to rely on. A renamed file counts as removed and added again. Without
 * `counts` all are 0, which takes a small part of the time. `timeLimit` is in milliseconds.
 */
export const authoredCommits = (
  repository: Repository,
  source: CommitSource,
  options: { readonly counts: boolean; readonly timeLimit: number },
  onCommit: (commit: AuthoredCommit, side: Side) => void
): Effect.Effect<void, GitFailed> =>
  Effect.suspend(() => {
    const reader = logReader(onCommit)
    const { args, input } = sourceOptions(source)
    const counts = options.counts ? ["--shortstat", "--no-renames", "--no-ext-diff", "--no-textconv"] : []
    const log = ["log", "--no-merges", "--encoding=UTF-8", `--format=%x00${fields.join("%x00")}`, ...counts, ...args]
    const reading = consume(repository, log, reader.push, { timeLimit: options.timeLimit, input })
    return Effect.map(reading, () => reader.end())
  })
