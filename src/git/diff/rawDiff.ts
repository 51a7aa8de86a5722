import { Effect } from "effect"
import { requireFullIds } from "../objects/fullIds.ts"
import { spooled } from "../process/spooled.ts"
import { writeOutput } from "../process/writeOutput.ts"
import type { Repository } from "../Repository.ts"
import { type DiffRequest, prefixes, renames, settings } from "./diff.ts"

const timeLimit = 60_000

/** What `git` prints of the difference between two commits, whole: git prints it at its own pace, and who reads it slowly keeps no process. */
export const rawDiff = (repository: Repository, { from, to }: Pick<DiffRequest, "from" | "to">) => {
  const args = [...settings, "diff-tree", ...renames, "--patch", "--full-index", "--no-color", ...prefixes, from, to, "--"]
  const written = spooled(repository.path, (spool, onStart) =>
    writeOutput(repository, args, { class: "interactive", timeLimit }, spool, onStart)
  )
  return Effect.andThen(requireFullIds([from, to]), written)
}
