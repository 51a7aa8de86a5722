import { createHash } from "node:crypto"
import { type FileHandle, open, readFile } from "node:fs/promises"
import { join } from "node:path"
import {
  bytesOf,
  type CommitGraph,
  type CommitGraphLayer,
  commitGraph,
  contentsBytes,
  type Extent,
  idBytes,
  readContents
} from "./commitGraph.ts"
import { CommitGraphDamaged } from "./commitGraphDamage.ts"
import { commitGraphFault } from "./commitGraphFault.ts"

const none: Extent = { start: 0, end: 0 }

const part = async (file: FileHandle, { end, start }: Extent): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafeSlow(end - start)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
  if (bytesRead !== buffer.length) throw new CommitGraphDamaged("it is cut off")
  return buffer
}

const pieceBytes = 256 * 1024

/** A file ends with the check sum of all before, which is also its name. */
const requireSum = async (file: FileHandle, sum: string): Promise<void> => {
  const end = (await file.stat()).size - idBytes
  const hash = createHash("sha1")
  for (let start = 0; start < end; start += pieceBytes)
    hash.update(await part(file, { start, end: Math.min(end, start + pieceBytes) }))
  const stored = await part(file, { start: Math.max(0, end), end: Math.max(0, end) + idBytes })
  if (hash.digest("hex") !== sum || stored.toString("hex") !== sum) throw new CommitGraphDamaged("its check sum is wrong")
}

const used = ["OIDF", "OIDL", "CDAT", "EDGE", "GDA2", "GDO2"]

/** Reads the parts of a file that are used; undefined when they have more than `limit` bytes or an unknown format. */
const readLayer = async (folder: string, hashes: ReadonlyArray<string>, below: number, limit: number) => {
  const hash = hashes.at(-1) ?? ""
  await using file = await open(join(folder, `graph-${hash}.graph`), "r")
  const header = await part(file, { start: 0, end: 8 })
  const extents = readContents(await part(file, { start: 0, end: contentsBytes(header) }))
  if (extents === undefined) return
  const [fanout, ids, commits, furtherParents = none, offsets, largeOffsets = none] = used.map((name) => extents.get(name))
  if (fanout === undefined || ids === undefined || commits === undefined) return
  const sizes = [fanout, ids, commits, furtherParents, offsets ?? none, largeOffsets].map(({ end, start }) => end - start)
  if (sizes.reduce((sum, size) => sum + size) > limit) return
  await requireSum(file, hash)
  const bases = await part(file, extents.get("BASE") ?? none)
  if (bases.toString("hex") !== hashes.slice(0, -1).join("")) throw new CommitGraphDamaged("its layers do not belong together")
  const layer: CommitGraphLayer = {
    below,
    fanout: await part(file, fanout),
    ids: await part(file, ids),
    commits: await part(file, commits),
    furtherParents: await part(file, furtherParents),
    dateOffsets: offsets === undefined ? undefined : await part(file, offsets),
    largeOffsets: await part(file, largeOffsets)
  }
  return layer
}

/** A graph, with its layers by the names of their files. */
export interface LayeredGraph {
  readonly graph: CommitGraph
  readonly layers: ReadonlyMap<string, CommitGraphLayer>
}

const layersOf = async (folder: string, limit: number, cached: LayeredGraph["layers"]) => {
  const chain = await readFile(join(folder, "commit-graph-chain"), "latin1")
  const hashes = chain.split("\n").filter(Boolean)
  if (!hashes.every((hash) => /^[0-9a-f]{40}$/.test(hash))) throw new CommitGraphDamaged("its chain is no list of layers")
  const layers = new Map<string, CommitGraphLayer>()
  let [below, left] = [0, limit]
  for (const [index, hash] of hashes.entries()) {
    const before = cached.get(hash)
    const isSame = before?.below === below
    const layer = isSame ? before : await readLayer(folder, hashes.slice(0, index + 1), below, left)
    if (layer === undefined) return
    layers.set(hash, layer)
    below += layer.ids.length / idBytes
    left -= bytesOf(layer)
  }
  return layers
}

/**
 * Reads the commit-graph in a folder; undefined where it is more than `limit` bytes or of an unknown format. Layers are only read where
 * `cached` does not have them. Fails with `CommitGraphDamaged`. Of a chain that is being replaced a file may be gone.
 */
export const readCommitGraph = async (
  folder: string,
  limit: number,
  cached?: LayeredGraph
): Promise<LayeredGraph | undefined> => {
  const layers = await layersOf(folder, limit, cached?.layers ?? new Map())
  if (layers === undefined || layers.size === 0) return
  const graph = commitGraph([...layers.values()])
  // Whether generations are dates or heights is decided by all layers together.
  const isSeen = (layer: CommitGraphLayer) =>
    cached?.graph.hasCorrectedDates === graph.hasCorrectedDates && [...cached.layers.values()].includes(layer)
  const fault = await commitGraphFault(
    graph,
    [...layers.values()].filter((layer) => !isSeen(layer))
  )
  if (fault !== undefined) throw new CommitGraphDamaged(`it has ${fault}`)
  return { graph, layers }
}
