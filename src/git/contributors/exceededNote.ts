import { Effect } from "effect"
import type { ProcessLimit } from "../../platform/processes/ProcessLimits.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { headCommit } from "../refs/headCommit.ts"
import { contributorFiles, exceededCommits } from "./cache.ts"
import { CountExceeded, mayFit } from "./limits.ts"

/** Why the contributors of the default branch are not counted; undefined where they are, or would be within this limit. */
export const notedCount = Effect.fnUntraced(function* (
  repository: Repository,
  limit: ProcessLimit
): Effect.fn.Return<CountExceeded | undefined, GitFailed> {
  const commits = yield* exceededCommits(repository)
  const tip = commits.length === 0 ? undefined : yield* headCommit(repository)
  if (tip === undefined || !commits.includes(tip) || (yield* contributorFiles.get(repository, tip)) !== null) return
  const count = yield* contributorFiles.exceeded(repository, tip)
  return count === null || mayFit(count, limit) ? undefined : new CountExceeded({ count })
})
