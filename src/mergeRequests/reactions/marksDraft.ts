import { Effect } from "effect"
import { commitsSince } from "../../git/history/commitsSince.ts"
import { readCommits } from "../../git/objects/commit.ts"
import { Objects } from "../../git/objects/Objects.ts"
import type { Repository } from "../../git/Repository.ts"
import type { Version } from "../events.ts"
import type { MergeRequest } from "../state.ts"
import { isDraft, makesDraft } from "../text/drafts.ts"

/** Commits of a version that are compared, and of those that are new in it that are looked at, the newest first. */
const [maxCommits, maxLookedAt] = [1_000, 100]

const commitsOf = Effect.fnUntraced(function* (repository: Repository, { baseSha, headSha, startSha }: Version) {
  // What was pushed away with force may be gone.
  const isThere = (yield* Objects.use(({ info }) => info(repository, headSha))) !== undefined
  const range = { base: baseSha, head: headSha, start: startSha, limit: maxCommits }
  return isThere ? (yield* commitsSince(repository, range)).ids : []
})

/** Whether commits that were pushed to it, and belong to it, make a merge request a draft that is none. Those that it began with do not. */
export const marksDraft = Effect.fnUntraced(function* (
  repository: Repository,
  { attributes, version: before }: MergeRequest,
  version: Version
) {
  if (before === undefined || before.headSha === version.headSha || isDraft(attributes.title)) return false
  const old = new Set(yield* commitsOf(repository, before))
  const pushed = (yield* commitsOf(repository, version)).filter((id) => !old.has(id)).slice(0, maxLookedAt)
  const commits = yield* readCommits(repository, pushed)
  return commits.some(({ message }) => makesDraft(message))
})
