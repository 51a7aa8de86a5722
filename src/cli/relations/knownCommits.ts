import { Effect } from "effect"
import { Objects } from "../../git/objects/Objects.ts"
import { Repositories } from "../../git/Repositories.ts"
import type { Repository } from "../../git/Repository.ts"
import { headOf } from "./mergeRequestEvents.ts"
import type { MergeRequest } from "./shapes/issuables.ts"

/** The commit where the repository has it. */
const known = Effect.fnUntraced(function* (repository: Repository | undefined, sha: string | null) {
  if (repository === undefined || sha === null) return null
  const found = yield* Effect.orDie(Objects.use(({ info }) => info(repository, sha)))
  return found?.type === "commit" ? sha : null
})

/**
 * The merge request with those ends of its diff alone that the repository has: a commit that it lacks counts for none, so that nothing is shown, and
 * nothing looked for, of what is not there. Where the source branch led is told as before.
 */
export const withKnownCommits = Effect.fnUntraced(function* (projectId: number, record: MergeRequest) {
  const { merge_request_diff: diff } = record
  if (diff === null) return record
  const repositories = yield* Repositories
  const repository = (yield* repositories.exists(projectId)) ? repositories.of(projectId) : undefined
  const shas = [diff.base_commit_sha, diff.head_commit_sha, diff.start_commit_sha]
  const [base = null, head = null, start = null] = yield* Effect.forEach(shas, (sha) => known(repository, sha))
  const ends = { base_commit_sha: base, head_commit_sha: head, start_commit_sha: start }
  const found: MergeRequest = { ...record, diff_head_sha: headOf(record), merge_request_diff: { ...diff, ...ends } }
  return found
})
