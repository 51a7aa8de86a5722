import { stat } from "node:fs/promises"
import { dirname } from "node:path"
import { Context, Effect, Layer } from "effect"
import type { CommitGraph } from "./commitGraph.ts"
import { CommitGraphDamaged, discardGraph, graphChain } from "./commitGraphDamage.ts"
import type { Repository } from "./Repository.ts"
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
type Found = LayeredGraph | CommitGraphDamaged | undefined

interface Kept {
  /** Changes whenever the chain does. */
  readonly version: string
  readonly found: Promise<Found>
  bytes: number
}

/** A number outside of a part is damage too. */
const asDamage = (error: unknown): CommitGraphDamaged | undefined => {
  if (error instanceof CommitGraphDamaged) return error
  return error instanceof RangeError ? new CommitGraphDamaged(error.message) : undefined
}

const versionOf = (chain: string): Promise<string | undefined> =>
  stat(chain, { bigint: true }).then(
    ({ ino, mtimeNs, size }) => `${ino} ${mtimeNs} ${size}`,
    () => undefined
  )

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
      return await readCommitGraph(folder, limit, known instanceof CommitGraphDamaged ? undefined : known)
    } catch (error) {
      return asDamage(error)
    }
  }
  const load = (path: string, folder: string, version: string): Kept => {
    const kept: Kept = { version, found: read(folder, graphs.get(path)), bytes: 0 }
    graphs.delete(path)
    graphs.set(path, kept)
    kept.found.then((found) => {
      if (graphs.get(path) !== kept) return
      // What could not be read is tried again.
      if (found === undefined) graphs.delete(path)
      kept.bytes = found === undefined || found instanceof CommitGraphDamaged ? 0 : found.graph.bytes
      evict()
    })
    return kept
  }
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
    if (!(found instanceof CommitGraphDamaged)) return found?.graph
    // Only who found it out, because it cannot be taken away everywhere; and another one may have taken its place.
    if (isNew && (yield* Effect.promise(() => versionOf(chain))) === version) yield* discardGraph(repository, found)
    return
  })
  return { of }
}
