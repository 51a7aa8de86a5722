/** A graph as each node's children; those that are no nodes are left out. */
export type Graph = ReadonlyMap<string, ReadonlyArray<string>>

interface Visit {
  readonly graph: Graph
  readonly indices: Map<string, number>
  readonly lows: Map<string, number>
  readonly stack: Array<string>
  readonly onStack: Set<string>
  readonly found: Array<ReadonlyArray<string>>
}

interface Frame {
  readonly node: string
  readonly children: Iterator<string>
}

/** The sets of several nodes that all lead to one another, with the one that was met first in front. */
export const circlesIn = (graph: Graph): ReadonlyArray<ReadonlyArray<string>> => {
  const visit: Visit = { graph, indices: new Map(), lows: new Map(), stack: [], onStack: new Set(), found: [] }
  for (const node of graph.keys()) if (!visit.indices.has(node)) walk(visit, node)
  return visit.found.filter((nodes) => nodes.length > 1)
}

const enter = (visit: Visit, node: string): Frame => {
  const index = visit.indices.size
  visit.indices.set(node, index)
  visit.lows.set(node, index)
  visit.stack.push(node)
  visit.onStack.add(node)
  return { node, children: (visit.graph.get(node) ?? [])[Symbol.iterator]() }
}

const lower = ({ lows }: Visit, node: string, low: number | undefined): void => {
  lows.set(node, Math.min(lows.get(node) ?? 0, low ?? Number.POSITIVE_INFINITY))
}

/** Without recursion, since a chain may be as long as there are nodes. */
const walk = (visit: Visit, root: string): void => {
  const frames = [enter(visit, root)]
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const child = frame.children.next()
    if (child.done) {
      frames.pop()
      leave(visit, frame.node, frames.at(-1)?.node)
    } else if (!visit.indices.has(child.value)) {
      if (visit.graph.has(child.value)) frames.push(enter(visit, child.value))
    } else if (visit.onStack.has(child.value)) lower(visit, frame.node, visit.indices.get(child.value))
  }
}

const leave = (visit: Visit, node: string, parent: string | undefined): void => {
  const low = visit.lows.get(node)
  if (parent !== undefined) lower(visit, parent, low)
  if (low !== visit.indices.get(node)) return
  const nodes = visit.stack.splice(visit.stack.lastIndexOf(node))
  for (const one of nodes) visit.onStack.delete(one)
  visit.found.push(nodes)
}
