import { Clock, Effect } from "effect"
import { LRUCache } from "lru-cache"
import { runText } from "../../git/process/run.ts"
import type { GitFailed, Repository } from "../../git/Repository.ts"
import { singleFlight } from "../../platform/work/singleFlight.ts"

/** How much there is in a repository. */
export interface RepositoryFigures {
  /** The number of commits of the default branch. */
  readonly commits: number
  /** The number of bytes on disk. */
  readonly bytes: number
}

interface Counted extends RepositoryFigures {
  readonly tip: string
  /** The time until which `bytes` is valid, in milliseconds since 1970. */
  readonly until: number
}

const maxCached = 10_000
/** At most this many processes run at a time. */
const maxAgeMillis = 300_000
const timeLimit = 60_000

const countCommits = (repository: Repository, tip: string) =>
  Effect.map(runText(repository, ["rev-list", "--count", "--use-bitmap-index", "--end-of-options", tip], { timeLimit }), Number)

/** Sums what `count-objects` prints of loose objects and packs in kibibytes. */
const measure = Effect.fnUntraced(function* (repository: Repository) {
  const text = yield* runText(repository, ["count-objects", "--verbose"], { timeLimit })
  const kibibytes = [...text.matchAll(/^size(?:-pack)?: (\d+)$/gm)].map(([, digits]) => Number(digits))
  return kibibytes.reduce((sum, each) => sum + each, 0) * 1024
})

/**
 * Counts repositories, and remembers what it counted: commits for as long as the tip of the default branch stays, bytes for five
 * minutes at most. `tip` is a full id of a commit.
 */
export const makeRepositoryFigures = () => {
  /** The counts by path. */
  const counts = new LRUCache<string, Counted>({ max: maxCached })
  const shared = singleFlight<RepositoryFigures, GitFailed>()

  const known = (repository: Repository, tip: string): Counted | undefined => {
    const counted = counts.get(repository.path)
    return counted?.tip === tip ? counted : undefined
  }

  const count = Effect.fnUntraced(function* (repository: Repository, tip: string, now: number) {
    const commits = known(repository, tip)?.commits ?? (yield* countCommits(repository, tip))
    const updated: Counted = { tip, commits, bytes: yield* measure(repository), until: now + maxAgeMillis }
    counts.set(repository.path, updated)
    return updated
  })

  return Effect.fnUntraced(function* (repository: Repository, tip: string): Effect.fn.Return<RepositoryFigures, GitFailed> {
    const now = yield* Clock.currentTimeMillis
    const counted = known(repository, tip)
    if (counted !== undefined && now < counted.until) return counted
    return yield* shared(`${repository.path} ${tip}`, count(repository, tip, now))
  })
}
