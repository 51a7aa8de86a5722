import { spooled } from "../process/spooled.ts"
import { writeOutput } from "../process/writeOutput.ts"
import type { Repository } from "../Repository.ts"
import { type DiffRequest, prefixes, renames, settings } from "./diff.ts"

const timeLimit = 60_000

/** What `git` prints of the difference between two commits, whole: git prints it at its own pace, and who reads it slowly keeps no process. */
export const rawDiff = (repository: Repository, { from, to }: Pick<DiffRequest, "from" | "to">) =>
  spooled(repository.path, (spool, onStart) => {
    const args = [...settings, "diff-tree", ...renames, "--patch", "--full-index", "--no-color", ...prefixes, from, to, "--"]
    return writeOutput(repository, args, { class: "interactive", timeLimit }, spool, onStart)
  })
