import { Effect } from "effect"
import { versionOf as readVersion } from "../../git/diff/versions.ts"
import { mergeBases } from "../../git/history/mergeBase.ts"
import type { Repository } from "../../git/Repository.ts"
import type { Version } from "../events.ts"

/** A merge request is found by so many of its commits, the newest ones. */
const maxCommitShas = 1_000

/** What is to be merged, from where the branches parted on, and its newest commits. Both commits lie in the repository of the target. */
export const versionOf = Effect.fnUntraced(function* (
  repository: Repository,
  heads: Pick<Version, "headSha" | "startSha" | "targetBranch">
) {
  const { headSha: head, startSha: start } = heads
  const [base = start] = yield* mergeBases(repository, [start, head])
  const { commits, entries, isOverflow, patchId } = yield* readVersion(repository, { base, start, head })
  const version: Version = {
    ...heads,
    baseSha: base,
    files: entries.length,
    isCut: isOverflow,
    commits: commits.ids.length,
    patchId
  }
  return { version, commitShas: commits.ids.slice(0, maxCommitShas) }
})
