import { dirname } from "node:path"
import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import type { Repository } from "../Repository.ts"
import type { CommitGraph } from "./commitGraph.ts"
import { asDamage, CommitGraphDamaged, discardGraph, graphChain, versionOf } from "./commitGraphDamage.ts"
import { type LayeredGraph, readCommitGraph } from "./readCommitGraph.ts"

/** The commit-graphs that maintenance writes, kept in memory for those repositories that were asked for last. */
export class CommitGraphs extends Context.Service<
  CommitGraphs,
  {
    /**
     * undefined: there is none, or it is too large, of a kind that is not known here, or damaged. A damaged one is taken away, because
     * git would believe it: maintenance writes another one. New commits may not be in it.
     */
    readonly of: (repository: Repository) => Effect.Effect<CommitGraph | undefined>
  }
>()("chronoforge/git/CommitGraphs") {
  static readonly layerWith = (limits: GraphLimits): Layer.Layer<CommitGraphs> =>
    Layer.sync(CommitGraphs, () => makeCommitGraphs(limits))
  static readonly layer: Layer.Layer<CommitGraphs> = CommitGraphs.layerWith({ bytes: 32 * 1024 * 1024 })
}

export interface GraphLimits {
  /** Of all graphs together; a larger one is not read. A commit takes 60. */
  readonly bytes: number
}

/** What came of reading a graph. */
type Found = LayeredGraph | CommitGraphDamaged | "unusable" | undefined

const isRead = (found: Found): found is LayeredGraph => typeof found === "object" && "graph" in found

interface Kept {
  /** Changes whenever the chain does. */
  readonly version: string
  readonly found: Promise<Found>
  /** Damage is told and taken away once: that may not be possible everywhere. */
  isTold: boolean
}

const makeCommitGraphs = ({ bytes: limit }: GraphLimits): CommitGraphs["Service"] => {
  /** By path. */
  const graphs = new LRUCache<string, Kept>({ maxSize: limit })
  /** One that is being read, or of which there is nothing to keep, counts as little as can be. */
  const keep = (path: string, kept: Kept, bytes = 1) => {
    // The cache would not take another size for the same entry.
    graphs.delete(path)
    graphs.set(path, kept, { size: bytes })
  }
  const read = async (folder: string, before: Kept | undefined): Promise<Found> => {
    const known = await before?.found
    try {
      return (await readCommitGraph(folder, limit, isRead(known) ? known : undefined)) ?? "unusable"
    } catch (error) {
      return asDamage(error)
    }
  }
  const load = (path: string, folder: string, version: string): Kept => {
    const kept: Kept = { version, found: read(folder, graphs.get(path)), isTold: false }
    keep(path, kept)
    kept.found.then((found) => {
      if (graphs.peek(path) !== kept) return
      // What could not be read is tried again.
      if (found === undefined) graphs.delete(path)
      else if (isRead(found)) keep(path, kept, found.graph.bytes)
    })
    return kept
  }
  const takeAway = Effect.fnUntraced(function* (repository: Repository, kept: Kept, damage: CommitGraphDamaged) {
    if (kept.isTold) return
    kept.isTold = true
    // Another one may have taken its place.
    const version = yield* Effect.promise(() => versionOf(graphChain(repository)))
    if (version === kept.version) yield* discardGraph(repository, damage)
  })
  const of = Effect.fnUntraced(function* (repository: Repository) {
    const { path } = repository
    const chain = graphChain(repository)
    const version = yield* Effect.promise(() => versionOf(chain))
    if (version === undefined) {
      graphs.delete(path)
      return
    }
    const known = graphs.get(path)
    const kept = known?.version === version ? known : load(path, dirname(chain), version)
    const found = yield* Effect.promise(() => kept.found)
    if (!(found instanceof CommitGraphDamaged)) return isRead(found) ? found.graph : undefined
    yield* Effect.uninterruptible(takeAway(repository, kept, found))
    return
  })
  return { of }
}
