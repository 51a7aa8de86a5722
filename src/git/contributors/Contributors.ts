import { Clock, Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { Processes } from "../../platform/processes/Processes.ts"
import { CurrentWork, inClass } from "../../platform/work/CurrentWork.ts"
import { divergence } from "../diff/compare.ts"
import { authoredCommits } from "../history/authoredCommits.ts"
import { requireFullIds } from "../objects/fullIds.ts"
import { runText } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { type ContributorCache, contributorFiles } from "./cache.ts"
import { BeingCounted, CountExceeded, exceededBy, mayFit } from "./limits.ts"
import { makeSharedCounts, type Progress, secondsLeft } from "./sharedCounts.ts"
import { type Contributor, ContributorTotals, type Tally } from "./totals.ts"
import { wholeHistory } from "./wholeHistory.ts"

/** The contributors of a commit, over all commits that it reaches but merges. */
export class Contributors extends Context.Service<
  Contributors,
  {
    /**
     * The contributors are ordered by address. `commit` is a full id. Counting continues from the closest commit that was counted
     * before; a first answer reads the whole history. Concurrent callers of the same commit share one reading, which goes on to its end
     * whoever leaves; each waits for it at most 30 seconds.
     */
    readonly of: (
      repository: Repository,
      commit: string
    ) => Effect.Effect<ReadonlyArray<Contributor>, BeingCounted | CountExceeded | GitFailed>
    /** Counts them ahead, and waits as long as that takes. */
    readonly count: (repository: Repository, commit: string) => Effect.Effect<void, CountExceeded | GitFailed>
  }
>()("chronoforge/git/Contributors") {
  static readonly layer = Layer.effect(
    Contributors,
    Effect.suspend(() => makeContributors(contributorFiles))
  )
}

/** No closer counted commit is searched for when at most this many commits lie between. */
const maxDistance = 1000
/** At most this many counted commits are tried to find the closest. */
const maxCandidates = 4
/** Somebody who asks waits at most this many milliseconds. */
const maxWait = 30_000
/** Of so many counts that were ended with others is remembered that they were. */
const maxEndedTogether = 1000
/** Where nothing tells how long a count still takes: seconds. */
const usualWait = 30

const contributor = ({ additions, commits, deletions, email, name }: Tally): Contributor => ({
  email,
  name,
  commits,
  additions,
  deletions
})

export interface CountingOptions {
  /** The highest number of processes that read a history; the default leaves one processor to others. */
  readonly maxProcesses?: number
}

export const makeContributors = Effect.fnUntraced(function* (cache: ContributorCache, { maxProcesses }: CountingOptions = {}) {
  /** The counts that were ended because all processes together used too much. */
  const endedTogether = new LRUCache<string, true>({ max: maxEndedTogether })
  const shared = makeSharedCounts<ReadonlyArray<Tally>, CountExceeded | GitFailed>(yield* Effect.scope)

  /** How many commits lie between; null when that commit is gone, as after a forced push. */
  const distance = (repository: Repository, known: string, commit: string) =>
    divergence(repository, { from: known, to: commit }).pipe(
      Effect.map(({ ahead, behind }) => ahead + behind),
      Effect.catchTag("GitFailed", () => Effect.succeed(null))
    )

  /** A known commit among the newest that this one reaches: what is usual after a push, and found at once. */
  const ancestor = (repository: Repository, commit: string, known: ReadonlyArray<string>) =>
    Effect.map(runText(repository, ["rev-list", `--max-count=${maxDistance}`, commit, "--"]), (ids) =>
      ids.split("\n").find((id) => known.includes(id))
    )

  /** The known commit to count from, if that is less work than from the beginning. */
  const closestCounted = Effect.fnUntraced(function* (repository: Repository, commit: string) {
    const known = yield* cache.commits(repository)
    if (known.length === 0) return null
    const before = yield* ancestor(repository, commit, known)
    if (before !== undefined) return before
    let best: { readonly id: string; readonly gap: number } | null = null
    for (const id of known.slice(0, maxCandidates)) {
      const gap: number | null = yield* distance(repository, id, commit)
      if (gap !== null && (best === null || gap < best.gap)) best = { id, gap }
      if (best !== null && best.gap <= maxDistance) return best.id
    }
    if (best === null) return null
    const all = Number(yield* runText(repository, ["rev-list", "--count", commit, "--"]))
    return best.gap < all ? best.id : null
  })

  /** Finds the names of addresses whose naming commit was removed in the whole history, without counting lines. */
  const restoreNames = (repository: Repository, commit: string, totals: ContributorTotals, timeLimit: number) => {
    if (totals.unnamed.size === 0) return Effect.void
    totals.clearNames()
    return authoredCommits(repository, { revisions: commit }, { counts: false, timeLimit }, (authored) => {
      if (totals.unnamed.has(authored.email)) totals.name(authored)
    })
  }

  /** Reads the commits between a counted one and this one. */
  const readBetween = (repository: Repository, known: string, commit: string, totals: ContributorTotals, timeLimit: number) =>
    authoredCommits(repository, { revisions: `${known}...${commit}` }, { counts: true, timeLimit }, (authored, side) =>
      side === "left" ? totals.remove(authored) : totals.add(authored)
    )

  const readWhole = Effect.fnUntraced(function* (
    repository: Repository,
    commit: string,
    totals: ContributorTotals,
    { progress, timeLimit }: { readonly progress: Progress; readonly timeLimit: number }
  ) {
    progress.startedAt = yield* Clock.currentTimeMillis
    yield* wholeHistory(
      repository,
      commit,
      { timeLimit, maxProcesses },
      {
        total: (commits) => {
          progress.total = commits
        },
        commit: (authored) => {
          progress.counted++
          totals.add(authored)
        }
      }
    )
  })

  const read = Effect.fnUntraced(function* (repository: Repository, commit: string, progress: Progress, timeLimit: number) {
    const known = yield* closestCounted(repository, commit)
    const before = known === null ? null : yield* cache.get(repository, known)
    const totals = new ContributorTotals(before ?? [])
    yield* known === null || before === null
      ? readWhole(repository, commit, totals, { progress, timeLimit })
      : readBetween(repository, known, commit, totals, timeLimit)
    yield* restoreNames(repository, commit, totals, timeLimit)
    yield* cache.put(repository, commit, totals.tallies)
    return totals.tallies
  })

  const currentLimit = Effect.map(Effect.all([CurrentWork, Processes]), ([work, { limits }]) => limits[work.class])

  /** Counts, unless that came to limits before which are no higher now. */
  const tallies = Effect.fnUntraced(function* (repository: Repository, commit: string) {
    yield* requireFullIds([commit])
    const known = yield* cache.get(repository, commit)
    if (known !== null) return known
    const limit = yield* currentLimit
    const noted = yield* cache.exceeded(repository, commit)
    if (noted !== null && !mayFit(noted, limit)) return yield* new CountExceeded({ count: noted })
    const noteLimit = (failure: GitFailed): Effect.Effect<never, CountExceeded | GitFailed> => {
      const key = `${repository.path} ${commit}`
      const exceeded = exceededBy(failure, endedTogether.has(key))
      if (failure.exceeded === "together") endedTogether.set(key, true)
      if (exceeded === undefined) return Effect.fail(failure)
      const count = { ...limit, exceeded }
      return Effect.andThen(cache.putExceeded(repository, commit, count), Effect.fail(new CountExceeded({ count })))
    }
    return yield* shared.join(repository, commit, (progress) =>
      Effect.catchTag(read(repository, commit, progress, limit.wall * 1000), "GitFailed", noteLimit)
    )
  }, inClass("bulk"))

  const beingCounted = Effect.fnUntraced(function* (repository: Repository, commit: string) {
    const [now, progress] = [yield* Clock.currentTimeMillis, shared.progress(repository, commit)]
    return yield* new BeingCounted({ seconds: (progress && secondsLeft(progress, now)) ?? usualWait })
  })

  return Contributors.of({
    of: (repository, commit) =>
      Effect.timeoutOrElse(tallies(repository, commit), {
        duration: maxWait,
        orElse: () => beingCounted(repository, commit)
      }).pipe(Effect.map((all) => all.map(contributor))),
    count: (repository, commit) => Effect.asVoid(tallies(repository, commit))
  })
})
