import { type FileHandle, open, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { Context, Effect, Layer } from "effect"
import {
  bytesOf,
  type CommitGraph,
  type CommitGraphLayer,
  commitGraph,
  contentsBytes,
  type Extent,
  readContents
} from "./commitGraph.ts"
import type { Repository } from "./Repository.ts"

/** The commit-graphs that maintenance writes, kept in memory for those repositories that were asked for last. */
export class CommitGraphs extends Context.Service<
  CommitGraphs,
  {
    /** undefined: there is none, or it is too large, or of a kind that is not known here. New commits may not be in it. */
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

const none: Extent = { start: 0, end: 0 }

const part = async (file: FileHandle, { end, start }: Extent): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafeSlow(end - start)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
  if (bytesRead !== buffer.length) throw new RangeError("The commit-graph is cut off")
  return buffer
}

const used = ["OIDF", "OIDL", "CDAT", "EDGE", "GDA2", "GDO2"]

/** Reads the parts of a file that are used; undefined where they are more than `limit` bytes or of an unknown format. */
const readLayer = async (path: string, below: number, limit: number): Promise<CommitGraphLayer | undefined> => {
  await using file = await open(path, "r")
  const header = await part(file, { start: 0, end: 8 })
  const extents = readContents(await part(file, { start: 0, end: contentsBytes(header) }))
  if (extents === undefined) return
  const [fanout, ids, commits, furtherParents = none, offsets, largeOffsets = none] = used.map((name) => extents.get(name))
  if (fanout === undefined || ids === undefined || commits === undefined) return
  const sizes = [fanout, ids, commits, furtherParents, offsets ?? none, largeOffsets].map(({ end, start }) => end - start)
  if (sizes.reduce((sum, size) => sum + size) > limit) return
  return {
    below,
    fanout: await part(file, fanout),
    ids: await part(file, ids),
    commits: await part(file, commits),
    furtherParents: await part(file, furtherParents),
    dateOffsets: offsets === undefined ? undefined : await part(file, offsets),
    largeOffsets: await part(file, largeOffsets)
  }
}

/** Of a chain that is being replaced a file may be gone: the next question reads the new one. */
const readGraph = async (folder: string, limit: number): Promise<CommitGraph | undefined> => {
  const chain = await readFile(join(folder, "commit-graph-chain"), "utf8")
  const layers: Array<CommitGraphLayer> = []
  let [below, left] = [0, limit]
  for (const hash of chain.split("\n").filter(Boolean)) {
    const layer = await readLayer(join(folder, `graph-${hash}.graph`), below, left)
    if (layer === undefined) return
    layers.push(layer)
    below += layer.ids.length / 20
    left -= bytesOf(layer)
  }
  return layers.length === 0 ? undefined : commitGraph(layers)
}

interface Kept {
  /** Changes whenever the chain does. */
  readonly version: string
  readonly graph: Promise<CommitGraph | undefined>
  bytes: number
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
  const load = (path: string, folder: string, version: string): Kept => {
    const graph = readGraph(folder, limit).catch(() => undefined)
    const kept: Kept = { version, graph, bytes: 0 }
    graphs.delete(path)
    graphs.set(path, kept)
    graph.then((found) => {
      if (graphs.get(path) !== kept) return
      // What could not be read is tried again.
      if (found === undefined) graphs.delete(path)
      kept.bytes = found?.bytes ?? 0
      evict()
    })
    return kept
  }
  const find = async ({ path }: Repository) => {
    const folder = join(path, "objects", "info", "commit-graphs")
    const chain = await stat(join(folder, "commit-graph-chain"), { bigint: true }).catch(() => undefined)
    if (chain === undefined) {
      graphs.delete(path)
      return
    }
    const version = `${chain.ino} ${chain.mtimeNs} ${chain.size}`
    const known = graphs.get(path)
    if (known?.version !== version) return load(path, folder, version).graph
    graphs.delete(path)
    graphs.set(path, known)
    return known.graph
  }
  return { of: (repository) => Effect.promise(() => find(repository)) }
}
