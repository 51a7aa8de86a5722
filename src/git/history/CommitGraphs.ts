import { dirname } from "node:path"
import { Context, Effect, Layer } from "effect"
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
  bytes: number
  /** Damage is told and taken away once: that may not be possible everywhere. */
  isTold: boolean
}

const makeCommitGraphs = ({ bytes: limit }: GraphLimits): CommitGraphs["Service"] => {
  /** By path; the least recently asked first. */
  const graphs = new Map<string, Kept>()

  const evict = () => {
    let total = [...graphs.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    for (const [path, { bytes }] of graphs) {
      if (total <= limit) return
      graphs.delete(path)
      total -= bytes
    }
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
    const kept: Kept = { version, found: read(folder, graphs.get(path)), bytes: 0, isTold: false }
    graphs.delete(path)
    graphs.set(path, kept)
    kept.found.then((found) => {
      if (graphs.get(path) !== kept) return
      // What could not be read is tried again.
      if (found === undefined) graphs.delete(path)
      kept.bytes = isRead(found) ? found.graph.bytes : 0
      evict()
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
    const isNew = known?.version !== version
    const kept = isNew ? load(path, dirname(chain), version) : known
    if (!isNew) {
      graphs.delete(path)
      graphs.set(path, kept)
    }
    const found = yield* Effect.promise(() => kept.found)
    if (!(found instanceof CommitGraphDamaged)) return isRead(found) ? found.graph : undefined
    yield* Effect.uninterruptible(takeAway(repository, kept, found))
    return
  })
  return { of }
}
