import { dirname } from "node:path"
import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import type { CommitGraph } from "../commitGraph/commitGraph.ts"
import { asDamage, CommitGraphDamaged, discardGraph, graphChain, versionOf } from "../commitGraph/commitGraphDamage.ts"
import { type LayeredGraph, readCommitGraph } from "../commitGraph/readCommitGraph.ts"
import type { Repository } from "../Repository.ts"

/** The commit-graphs that maintenance writes, kept in memory for those repositories that were asked for last. */
export class CommitGraphs extends Context.Service<
  CommitGraphs,
  {
    /**
     * The graph of a repository; undefined when there is none, or it is too large, of an unknown format, or damaged. A damaged graph is
     * removed, because git would trust it; maintenance writes another one. New commits may not be in it.
     */
    readonly of: (repository: Repository) => Effect.Effect<CommitGraph | undefined>
  }
>()("chronoforge/git/CommitGraphs") {
  static readonly layerWith = (limits: GraphLimits): Layer.Layer<CommitGraphs> =>
    Layer.sync(CommitGraphs, () => makeCommitGraphs(limits))
  static readonly layer: Layer.Layer<CommitGraphs> = CommitGraphs.layerWith({ bytes: 32 * 1024 * 1024 })
}

export interface GraphLimits {
  /** The bytes of all graphs together; a larger one is not read. A commit takes 60 bytes. */
  readonly bytes: number
}

/** What came of reading a graph. */
type ReadResult = LayeredGraph | CommitGraphDamaged | "unusable" | undefined

const isRead = (found: ReadResult): found is LayeredGraph => typeof found === "object" && "graph" in found

interface CacheEntry {
  /** The version changes whenever the chain does. */
  readonly version: string
  readonly found: Promise<ReadResult>
  /** Whether the damage was reported and the graph discarded, which is tried once because it may not be possible. */
  isDiscarded: boolean
}

const makeCommitGraphs = ({ bytes: limit }: GraphLimits): CommitGraphs["Service"] => {
  /** The entries are keyed by path. */
  const graphs = new LRUCache<string, CacheEntry>({ maxSize: limit })
  /** An entry that is being read, or has no graph, counts as one byte. */
  const store = (path: string, entry: CacheEntry, bytes = 1) => {
    // The cache would not take another size for the same entry.
    graphs.delete(path)
    graphs.set(path, entry, { size: bytes })
  }
  const read = async (folder: string, before: CacheEntry | undefined): Promise<ReadResult> => {
    const cached = await before?.found
    try {
      return (await readCommitGraph(folder, limit, isRead(cached) ? cached : undefined)) ?? "unusable"
    } catch (error) {
      return asDamage(error)
    }
  }
  const load = (path: string, folder: string, version: string): CacheEntry => {
    const entry: CacheEntry = { version, found: read(folder, graphs.get(path)), isDiscarded: false }
    store(path, entry)
    entry.found.then((found) => {
      if (graphs.peek(path) !== entry) return
      // What could not be read is tried again.
      if (found === undefined) graphs.delete(path)
      else if (isRead(found)) store(path, entry, found.graph.bytes)
    })
    return entry
  }
  const discardOnce = Effect.fnUntraced(function* (repository: Repository, entry: CacheEntry, damage: CommitGraphDamaged) {
    if (entry.isDiscarded) return
    entry.isDiscarded = true
    // Another graph may have replaced it.
    const version = yield* Effect.promise(() => versionOf(graphChain(repository)))
    if (version === entry.version) yield* discardGraph(repository, damage)
  })
  const of = Effect.fnUntraced(function* (repository: Repository) {
    const { path } = repository
    const chain = graphChain(repository)
    const version = yield* Effect.promise(() => versionOf(chain))
    if (version === undefined) {
      graphs.delete(path)
      return
    }
    const cached = graphs.get(path)
    const entry = cached?.version === version ? cached : load(path, dirname(chain), version)
    const found = yield* Effect.promise(() => entry.found)
    if (!(found instanceof CommitGraphDamaged)) return isRead(found) ? found.graph : undefined
    yield* Effect.uninterruptible(discardOnce(repository, entry, found))
    return
  })
  return { of }
}
