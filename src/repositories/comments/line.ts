import { Effect } from "effect"
import { diff } from "../../git/diff/diff.ts"
import { emptyTreeId } from "../../git/objectId.ts"
import type { Commit } from "../../git/objects/commit.ts"
import type { Repository } from "../../git/Repository.ts"
import type { CommentedLine } from "./events.ts"

const hunkStart = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/

/** Whether a line with this number is among the added (`new`) or removed (`old`) ones of a diff. */
export const changesLine = (text: string, { number, type }: Pick<CommentedLine, "number" | "type">): boolean => {
  const [ours, theirs] = type === "new" ? ["+", "-"] : ["-", "+"]
  let at = 0
  for (const line of text.split("\n")) {
    const [, old, newStart] = hunkStart.exec(line) ?? []
    if (old !== undefined) at = Number(type === "new" ? newStart : old)
    else if (line.startsWith(ours) && at++ === number) return true
    else if (!line.startsWith(ours) && !line.startsWith(theirs) && !line.startsWith("\\")) at++
  }
  return false
}

/**
 * The line as it can be commented on; null when the commit neither adds nor removes it.
 * Gap: a removed line is counted in the file before the commit.
 */
export const commentedLine = Effect.fnUntraced(function* (repository: Repository, { id, parents }: Commit, line: CommentedLine) {
  const { entries } = yield* Effect.orDie(diff(repository, { from: parents[0] ?? emptyTreeId, to: id }))
  const file = entries.find(({ newPath }) => newPath === line.path)
  return file !== undefined && !file.isBinary && changesLine(file.diff, line) ? line : null
})
