import { Effect } from "effect"
import { commitsSince } from "../../git/history/commitsSince.ts"
import { readAbridged } from "../../git/objects/commit.ts"
import { Objects } from "../../git/objects/Objects.ts"
import type { Repository } from "../../git/Repository.ts"
import type { MergeRequest } from "../decisions/state.ts"
import type { Version } from "../events.ts"
import { isDraft, makesDraft } from "../text/drafts.ts"

/** So many characters of a message tell it. */
const maxMessage = 255
/** Commits of a version that are compared, and of those that are new in it that are looked at, the newest first. */
const [maxCommits, maxLookedAt] = [1_000, 100]

const commitsOf = Effect.fnUntraced(function* (repository: Repository, { baseSha, headSha, startSha }: Version) {
  // What was pushed away with force may be gone.
  const isThere = (yield* Objects.use(({ info }) => info(repository, headSha))) !== undefined
  const range = { base: baseSha, head: headSha, start: startSha, limit: maxCommits }
  return isThere ? (yield* commitsSince(repository, range)).ids : []
})

/**
 * The first of the commits that were pushed to a merge request, and belong to it, which makes it a draft; undefined where none does, or it is
 * one. Those that it began with do not.
 */
export const draftCommitOf = Effect.fnUntraced(function* (
  repository: Repository,
  { attributes, version: before }: MergeRequest,
  version: Version
) {
  if (before === undefined || before.headSha === version.headSha || isDraft(attributes.title)) return undefined
  const old = new Set(yield* commitsOf(repository, before))
  const pushed = (yield* commitsOf(repository, version)).filter((id) => !old.has(id)).slice(0, maxLookedAt)
  const commits = yield* readAbridged(repository, pushed, maxMessage)
  return commits.findLast(({ message }) => makesDraft(message))?.id
})
