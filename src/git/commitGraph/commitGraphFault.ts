import { setImmediate } from "node:timers/promises"
import { type CommitGraph, type CommitGraphLayer, commitBytes, idBytes, noParent } from "./commitGraph.ts"

/** This many ids or commits are checked without a pause, which takes about a millisecond. */
const batchSize = 4_096

/** Calls back for each number from `start` on, and lets others work in between. Ends with the first fault. */
const firstFault = async (
  start: number,
  end: number,
  check: (index: number) => string | undefined
): Promise<string | undefined> => {
  for (let index = start; index < end; index++) {
    if (index % batchSize === 0) await setImmediate()
    const fault = check(index)
    if (fault !== undefined) return fault
  }
  return
}

const sizesFault = ({ commits, dateOffsets, fanout, ids }: CommitGraphLayer): string | undefined => {
  const size = ids.length / idBytes
  const fits = fanout.length === 1024 && commits.length === size * commitBytes && (dateOffsets?.length ?? size * 4) === size * 4
  return fits ? undefined : "parts of the wrong size"
}

/** Checks that ids ascend, and that the fanout tells how many of them begin with which byte. */
const idsFault = async ({ fanout, ids }: CommitGraphLayer): Promise<string | undefined> => {
  const size = ids.length / idBytes
  const counts = new Array<number>(256).fill(0)
  const fault = await firstFault(0, size, (index) => {
    const [from, to] = [index * idBytes, (index + 1) * idBytes]
    const first = ids[from] ?? 0
    counts[first] = (counts[first] ?? 0) + 1
    return index > 0 && ids.compare(ids, from - idBytes, from, from, to) <= 0 ? "ids out of order" : undefined
  })
  let total = 0
  const isCounted = counts.every((count, first) => {
    total += count
    return fanout.readUInt32BE(first * 4) === total
  })
  return fault ?? (isCounted ? undefined : "a wrong fanout")
}

/** Checks that parents are in the same layer or below, and have smaller generations, so that there are no loops. */
const historyFault = (graph: CommitGraph, { below, commits, furtherParents, ids }: CommitGraphLayer) => {
  const size = ids.length / idBytes
  let further = furtherParents.length / 4
  return firstFault(0, size, (index) => {
    const at = index * commitBytes + idBytes
    if (commits.readUInt32BE(at) === noParent && commits.readUInt32BE(at + 4) !== noParent) return "a second parent alone"
    const parents = graph.parents(below + index)
    if (parents.length > 2) further -= parents.length - 1
    const generation = graph.generation(below + index)
    const isWrong = (parent: number) => parent >= below + size || graph.generation(parent) >= generation
    return further < 0 || parents.some(isWrong) ? "wrong parents" : undefined
  })
}

/**
 * Why layers cannot be those of a graph; undefined where they can. `layers` are those that were not checked before. It throws
 * `RangeError` too.
 */
export const commitGraphFault = async (
  graph: CommitGraph,
  layers: ReadonlyArray<CommitGraphLayer>
): Promise<string | undefined> => {
  for (const layer of layers) {
    const fault = sizesFault(layer) ?? (await idsFault(layer)) ?? (await historyFault(graph, layer))
    if (fault !== undefined) return fault
  }
  return
}
