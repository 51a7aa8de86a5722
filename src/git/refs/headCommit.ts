import { Effect } from "effect"
import { runText } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"

/** The id of the newest commit of the default branch; undefined where it has none. */
export const headCommit = (repository: Repository): Effect.Effect<string | undefined, GitFailed> =>
  Effect.map(
    runText(repository, ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"], { statuses: [0, 1] }),
    (id) => id || undefined
  )
