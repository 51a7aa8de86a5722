import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import type { CommitGraph } from "../commitGraph/commitGraph.ts"
import { type Commit, readCommit, readKeptCommit } from "../objects/commit.ts"
import type { Objects } from "../objects/Objects.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { CommitGraphs } from "./CommitGraphs.ts"
import type { History } from "./commonAncestors.ts"

/** The history of some commits in numbers. */
export interface KnownHistory extends History {
  /** The requested commits, in the order of the request. */
  readonly commits: ReadonlyArray<number>
  readonly id: (commit: number) => string
}

/** At most this many commits are read one by one because they are newer than the graph, which takes about as long as a process of git. */
const maxNewCommits = 100

/** Each may have a mebibyte while it is read. */
const concurrency = 8

/** What the history needs of a commit that is newer than the graph: the rest may be long, and is not kept. */
interface NewCommit {
  readonly id: string
  readonly parents: ReadonlyArray<string>
  /** The committer's time in seconds since 1970. */
  readonly seconds: number
}

/** The graph of a repository that maintenance has not come to yet. */
const emptyGraph: CommitGraph = {
  size: 0,
  bytes: 0,
  find: () => undefined,
  id: () => "",
  parents: () => [],
  date: () => 0,
  generation: () => 0,
  hasCorrectedDates: false
}

/** What is too large, or damaged, is git's to read, which may not need it. */
const unlessUnreadable = <R>(commit: Effect.Effect<Commit | undefined, GitFailed, R>) =>
  Effect.catchTag(commit, "GitFailed", () => Effect.undefined).pipe(
    Effect.map(
      (found): NewCommit | undefined => found && { id: found.id, parents: found.parents, seconds: found.committer.seconds }
    )
  )

/** The paths of repositories that have no graph, and longer histories: they are not read again and again until there is one. */
const tooLong = new LRUCache<string, true>({ max: 10_000 })

/** Numbers the commits: first those of the graph, then the newer ones. */
const historyOf = (graph: CommitGraph, newer: ReadonlyArray<NewCommit>, ids: ReadonlyArray<string>): KnownHistory => {
  const positions = new Map(newer.map(({ id }, index) => [id, graph.size + index]))
  const positionOf = (id: string): number => {
    const position = positions.get(id) ?? graph.find(id)
    if (position === undefined) throw new RangeError(`There is no commit ${id} in the history`)
    return position
  }
  const newerAt = (position: number): NewCommit | undefined => newer[position - graph.size]
  return {
    size: graph.size + newer.length,
    commits: ids.map(positionOf),
    id: (position) => newerAt(position)?.id ?? graph.id(position),
    parents: (position) => newerAt(position)?.parents.map(positionOf) ?? graph.parents(position),
    date: (position) => newerAt(position)?.seconds ?? graph.date(position),
    generation: (position) => (position < graph.size ? graph.generation(position) : Number.POSITIVE_INFINITY),
    hasCorrectedDates: graph.hasCorrectedDates
  }
}

/**
 * The history of commits from the commit-graph, where there is one, with commits that came after it read from their objects. undefined: an
 * id is not that of a commit, or commits are new that are too many, too large or damaged.
 */
export const knownHistory = Effect.fnUntraced(function* (
  repository: Repository,
  ids: ReadonlyArray<string>
): Effect.fn.Return<KnownHistory | undefined, never, CommitGraphs | Objects> {
  const graph = (yield* (yield* CommitGraphs).of(repository)) ?? emptyGraph
  const { path } = repository
  if (graph === emptyGraph && tooLong.has(path)) return
  const seen = new Set<string>()
  const newer: Array<NewCommit> = []
  for (let unread = ids; unread.length > 0; ) {
    const unknown = [...new Set(unread)].filter((id) => !seen.has(id) && graph.find(id) === undefined)
    if (newer.length + unknown.length > maxNewCommits) {
      if (graph === emptyGraph) tooLong.set(path, true)
      return
    }
    for (const id of unknown) seen.add(id)
    // What the requested commits reach is there, as they are.
    const read = unread === ids ? readCommit : readKeptCommit
    const commits = yield* Effect.forEach(unknown, (id) => unlessUnreadable(read(repository, id)), { concurrency })
    const found = commits.filter((commit) => commit !== undefined)
    if (found.length < unknown.length) return
    newer.push(...found)
    unread = found.flatMap(({ parents }) => parents)
  }
  return historyOf(graph, newer, ids)
})
