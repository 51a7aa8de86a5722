/**
 * The commit-graph of a repository: ids, parents and times of commits, without reading objects. A commit is named by its position; a
 * graph holds all that its commits reach. Only one in which `commitGraphFault` finds nothing may be asked. Format: gitformat-commit-graph.
 */
export interface CommitGraph {
  /** The number of commits; positions are lower. */
  readonly size: number
  /** The number of bytes that it takes in memory. */
  readonly bytes: number
  /** The position of a full id; undefined when the graph does not have it. */
  readonly find: (id: string) => number | undefined
  readonly id: (position: number) => string
  readonly parents: (position: number) => ReadonlyArray<number>
  /** The committer's time in seconds since 1970. */
  readonly date: (position: number) => number
  /** The generation is greater than that of every commit it reaches: the corrected date where all layers have it, else the height. */
  readonly generation: (position: number) => number
  readonly hasCorrectedDates: boolean
}

/** The parts of one file of a graph that are used here. */
export interface CommitGraphLayer {
  /** The number of commits in the layers below. */
  readonly below: number
  /** The fanout tells, for each first byte of an id, how many commits have at most that byte. */
  readonly fanout: Buffer
  readonly ids: Buffer
  /** The tree, parents, height and time of each commit. */
  readonly commits: Buffer
  /** The further parents of merges of more than two commits. */
  readonly furtherParents: Buffer
  /** The offsets that turn times into corrected dates. */
  readonly dateOffsets: Buffer | undefined
  /** The offsets that do not fit in 31 bits. */
  readonly largeOffsets: Buffer
}

/** The place of a part in a file. */
export interface Extent {
  readonly start: number
  readonly end: number
}

export const idBytes = 20
export const commitBytes = idBytes + 16
const headerBytes = 8
const entryBytes = 12

/** The number of bytes of the header and table of contents, which depends on the number of parts. */
export const contentsBytes = (header: Buffer): number => headerBytes + ((header[6] ?? 0) + 1) * entryBytes

/** Reads header and table of contents; undefined for a format that is not known here, such as another hash than SHA-1. */
export const readContents = (head: Buffer): ReadonlyMap<string, Extent> | undefined => {
  if (head.toString("latin1", 0, 4) !== "CGPH" || head[4] !== 1 || head[5] !== 1) return
  const count = head[6] ?? 0
  const extents = new Map<string, Extent>()
  for (let index = 0; index < count; index++) {
    const at = headerBytes + index * entryBytes
    const start = Number(head.readBigUInt64BE(at + 4))
    const end = Number(head.readBigUInt64BE(at + entryBytes + 4))
    extents.set(head.toString("latin1", at, at + 4), { start, end })
  }
  return extents
}

/** The number of bytes that a layer takes in memory. */
export const bytesOf = ({ commits, dateOffsets, fanout, furtherParents, ids, largeOffsets }: CommitGraphLayer): number =>
  [fanout, ids, commits, furtherParents, dateOffsets, largeOffsets].reduce((sum, part) => sum + (part?.length ?? 0), 0)

const isFurther = (value: number) => value >= 0x80000000
export const noParent = 0x70000000

/** Joins layers, the lowest first, into one graph. */
export const commitGraph = (layers: ReadonlyArray<CommitGraphLayer>): CommitGraph => {
  const sizeOf = ({ ids }: CommitGraphLayer) => ids.length / idBytes
  const hasCorrectedDates = layers.every(({ dateOffsets }) => dateOffsets !== undefined)

  const layerOf = (position: number): CommitGraphLayer => {
    for (let index = layers.length - 1; index >= 0; index--) {
      const layer = layers[index]
      if (layer !== undefined && layer.below <= position) return layer
    }
    throw new RangeError(`The commit-graph has no position ${position}`)
  }
  const findIn = ({ below, fanout, ids }: CommitGraphLayer, id: Buffer): number | undefined => {
    const [first = 0] = id
    let low = first === 0 ? 0 : fanout.readUInt32BE((first - 1) * 4)
    let high = fanout.readUInt32BE(first * 4)
    while (low < high) {
      const middle = (low + high) >>> 1
      const order = ids.compare(id, 0, idBytes, middle * idBytes, (middle + 1) * idBytes)
      if (order === 0) return below + middle
      if (order < 0) low = middle + 1
      else high = middle
    }
    return
  }
  const find = (id: string) => {
    const bytes = Buffer.from(id, "hex")
    for (const layer of layers) {
      const found = findIn(layer, bytes)
      if (found !== undefined) return found
    }
    return
  }
  const parents = (position: number): ReadonlyArray<number> => {
    const { below, commits, furtherParents } = layerOf(position)
    const at = (position - below) * commitBytes + idBytes
    const first = commits.readUInt32BE(at)
    const second = commits.readUInt32BE(at + 4)
    if (first === noParent) return []
    if (second === noParent) return [first]
    if (!isFurther(second)) return [first, second]
    const all = [first]
    for (let index = second - 0x80000000; ; index++) {
      const value = furtherParents.readUInt32BE(index * 4)
      if (isFurther(value)) return [...all, value - 0x80000000]
      all.push(value)
    }
  }
  const dateIn = ({ commits }: CommitGraphLayer, index: number): number => {
    const at = index * commitBytes + idBytes + 8
    return (commits.readUInt32BE(at) & 3) * 0x100000000 + commits.readUInt32BE(at + 4)
  }
  const offsetIn = ({ dateOffsets = Buffer.alloc(0), largeOffsets }: CommitGraphLayer, index: number): number => {
    const value = dateOffsets.readUInt32BE(index * 4)
    return isFurther(value) ? Number(largeOffsets.readBigUInt64BE((value - 0x80000000) * 8)) : value
  }
  const generation = (position: number): number => {
    const layer = layerOf(position)
    const index = position - layer.below
    if (hasCorrectedDates) return dateIn(layer, index) + offsetIn(layer, index)
    return layer.commits.readUInt32BE(index * commitBytes + idBytes + 8) >>> 2
  }
  return {
    size: layers.reduce((sum, layer) => sum + sizeOf(layer), 0),
    bytes: layers.reduce((sum, layer) => sum + bytesOf(layer), 0),
    find,
    id: (position) => {
      const { below, ids } = layerOf(position)
      return ids.toString("hex", (position - below) * idBytes, (position - below + 1) * idBytes)
    },
    parents,
    date: (position) => {
      const layer = layerOf(position)
      return dateIn(layer, position - layer.below)
    },
    generation,
    hasCorrectedDates
  }
}
