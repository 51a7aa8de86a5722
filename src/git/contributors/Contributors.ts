import { Context, Effect, Layer } from "effect"
import { inClass } from "../../platform/work/CurrentWork.ts"
import { divergence } from "../diff/compare.ts"
import { authoredCommits } from "../history/authoredCommits.ts"
import { requireFullIds } from "../objects/fullIds.ts"
import { runText } from "../process/run.ts"
import { singleFlight } from "../process/singleFlight.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { type ContributorCache, contributorFiles } from "./cache.ts"
import { type Contributor, ContributorTotals, type Tally } from "./totals.ts"

/** The contributors of a commit, over all commits that it reaches but merges. */
export class Contributors extends Context.Service<
  Contributors,
  {
    /**
     * The contributors are ordered by address. `commit` is a full id. Counting continues from the closest commit that was counted
     * before; a first answer reads the whole history. Concurrent callers of the same commit share one reading.
     */
    readonly of: (repository: Repository, commit: string) => Effect.Effect<ReadonlyArray<Contributor>, GitFailed>
  }
>()("chronoforge/git/Contributors") {
  static readonly layer = Layer.sync(Contributors, () => makeContributors(contributorFiles))
}

/** No closer counted commit is searched for when at most this many commits lie between. */
const maxDistance = 1000
/** At most this many counted commits are tried to find the closest. */
const maxCandidates = 4
/** Reading a history may take this many milliseconds. */
const timeLimit = 30 * 60_000

const contributor = ({ additions, commits, deletions, email, name }: Tally): Contributor => ({
  email,
  name,
  commits,
  additions,
  deletions
})

export const makeContributors = (cache: ContributorCache): Contributors["Service"] => {
  const shared = singleFlight<ReadonlyArray<Tally>, GitFailed>()

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
  const restoreNames = (repository: Repository, commit: string, totals: ContributorTotals) => {
    if (totals.unnamed.size === 0) return Effect.void
    totals.clearNames()
    return authoredCommits(repository, commit, { counts: false, timeLimit }, (authored) => {
      if (totals.unnamed.has(authored.email)) totals.name(authored)
    })
  }

  const count = Effect.fnUntraced(function* (repository: Repository, commit: string) {
    const known = yield* closestCounted(repository, commit)
    const before = known === null ? null : yield* cache.get(repository, known)
    const totals = new ContributorTotals(before ?? [])
    const revisions = before === null ? commit : `${known}...${commit}`
    const reading = authoredCommits(repository, revisions, { counts: true, timeLimit }, (authored, side) =>
      side === "left" ? totals.remove(authored) : totals.add(authored)
    )
    yield* before === null ? inClass("bulk")(reading) : reading
    yield* restoreNames(repository, commit, totals)
    yield* cache.put(repository, commit, totals.tallies)
    return totals.tallies
  })

  const tallies = Effect.fnUntraced(function* (repository: Repository, commit: string) {
    yield* requireFullIds([commit])
    const known = yield* cache.get(repository, commit)
    return known ?? (yield* shared(`${repository.path} ${commit}`, count(repository, commit)))
  })

  return { of: (repository, commit) => Effect.map(tallies(repository, commit), (all) => all.map(contributor)) }
}
