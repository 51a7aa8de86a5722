import { keyOf, type RecentSizes, SizeTable, type TreeSize } from "./SizeTable.ts"
import type { TreeSink } from "./TreeReader.ts"

export interface TreeMaxima {
  readonly maxPaths: number
  readonly maxDepth: number
  /** The highest number of bytes of all objects that come in together, worked out; by default there is none. */
  readonly maxInflated?: number
}

/** Why trees are not taken: the id is that of the smallest tree that was found to be too large. */
export type TreeExcess =
  | { readonly _tag: "Paths" | "Depth" | "Directories"; readonly id: string }
  /** Too many trees come before what they hold. */
  | { readonly _tag: "Order" }
  /** All objects together are too large. */
  | { readonly _tag: "Inflated" }

interface OpenTree {
  readonly id: string
  readonly key: number
  /** Saturates above the limit. */
  paths: number
  depth: number
  /** The number of its subtrees, each counted once, whose sizes are not known. */
  missing: number
}

/** A subtree that is not known, with how often its parent has it. */
interface Unknown {
  readonly id: string
  count: number
}

interface Awaited {
  readonly id: string
  readonly parents: Array<{ readonly tree: OpenTree; readonly count: number }>
}

/** Trees that wait for the size of a subtree take about 100 bytes for each. Packs of git have a tree shortly before its subtrees. */
const maxWaiting = 200_000
/** Trees that are read again later, because too many were waiting. */
const maxDeferred = 1_000_000
/** Sizes that one push may bring into the memory that all pushes share. */
const maxRemembered = 100_000

const idBuffer = Buffer.alloc(20)
const keyOfHex = (id: string): number => {
  idBuffer.write(id, "hex")
  return keyOf(idBuffer, 0)
}

/**
 * Works out what trees expand to, each counted once however often it is used, from trees that come in any order. A tree whose subtrees are
 * not known yet waits for them; `takeUnread` tells which ones have to be read for that.
 */
export class TreeSizes implements TreeSink {
  readonly #maxima: TreeMaxima
  readonly #recent: RecentSizes
  readonly #sizes = new SizeTable()
  /** The trees that others wait for, by their keys. */
  readonly #awaited = new Map<number, Awaited>()
  /** The keys of trees that were read and wait for others. */
  readonly #pending = new Set<number>()
  /** The subtrees of the open tree that are not known, by their keys. */
  readonly #unknown = new Map<number, Unknown>()
  #open: OpenTree | undefined
  #waiting = 0
  #remembered = 0
  #deferred: Array<string> = []
  /** Sizes that leave out what the repository lacks are not remembered. */
  #isComplete = true
  #excess: TreeExcess | undefined
  #inflated = 0

  constructor(maxima: TreeMaxima, recent: RecentSizes) {
    this.#maxima = maxima
    this.#recent = recent
  }

  /** Why the trees are not taken, as far as they were read. */
  get excess(): TreeExcess | undefined {
    return this.#excess
  }

  /** Counts an object of so many bytes, worked out, that comes in. */
  readonly count = (bytes: number): void => {
    this.#inflated += bytes
    const { maxInflated = Number.POSITIVE_INFINITY } = this.#maxima
    if (this.#inflated > maxInflated) this.#excess ??= { _tag: "Inflated" }
  }

  /** The objects that were counted are counted again. */
  readonly recount = (): void => {
    this.#inflated = 0
  }

  readonly begin = (id: string): void => {
    const key = keyOfHex(id)
    const known = this.#find(key)
    // Another push may have found its size since this one began to wait for it.
    if (known !== undefined && this.#awaited.has(key)) this.#settle({ id, key, ...known, missing: 0 })
    this.#open = known !== undefined || this.#pending.has(key) ? undefined : { id, key, paths: 0, depth: 0, missing: 0 }
    this.#unknown.clear()
  }

  readonly folder = (data: Uint8Array, at: number): void => {
    const open = this.#open
    if (open === undefined || this.#excess !== undefined) return
    const key = keyOf(data, at)
    const size = this.#find(key)
    const unknown = this.#unknown.get(key)
    if (size !== undefined) this.#add(open, size, 1)
    else if (unknown !== undefined) unknown.count++
    else this.#unknown.set(key, { id: Buffer.from(data.subarray(at, at + 20)).toString("hex"), count: 1 })
    if (this.#unknown.size > maxWaiting) this.#excess = { _tag: "Directories", id: open.id }
  }

  readonly grow = (entries: number): void => {
    if (entries > this.#maxima.maxPaths && this.#open !== undefined) this.#excess ??= { _tag: "Paths", id: this.#open.id }
  }

  readonly end = (entries: number): void => {
    const open = this.#open
    this.#open = undefined
    if (open === undefined || this.#excess !== undefined) return
    if (entries > 0) this.#add(open, { paths: entries, depth: 0 }, 1)
    if (this.#unknown.size === 0) this.#settle(open)
    else if (this.#waiting > 0 && this.#waiting + this.#unknown.size > maxWaiting) this.#defer(open)
    else this.#await(open)
  }

  readonly absent = (id: string): void => {
    this.#isComplete = false
    this.#settle({ id, key: keyOfHex(id), paths: 0, depth: 0, missing: 0 })
  }

  /** The ids of trees to be read now that all were read that had been asked for; none when everything is known. */
  takeUnread(): ReadonlyArray<string> {
    const deferred = this.#deferred.reverse()
    this.#deferred = []
    const unread = [...this.#awaited].flatMap(([key, { id }]) => (this.#pending.has(key) ? [] : [id]))
    return [...new Set([...unread, ...deferred])]
  }

  #find(key: number): TreeSize | undefined {
    return this.#sizes.find(key) ?? this.#recent.find(key)
  }

  /** Adds what lies below entries; they themselves are among those of their tree. */
  #add(tree: OpenTree, { depth, paths }: TreeSize, count: number): void {
    const { maxDepth, maxPaths } = this.#maxima
    tree.paths = Math.min(tree.paths + paths * count, maxPaths + 1)
    tree.depth = Math.max(tree.depth, depth + 1)
    if (tree.paths > maxPaths) this.#excess ??= { _tag: "Paths", id: tree.id }
    if (tree.depth > maxDepth) this.#excess ??= { _tag: "Depth", id: tree.id }
  }

  #defer({ id }: OpenTree): void {
    this.#deferred.push(id)
    if (this.#deferred.length > maxDeferred) this.#excess = { _tag: "Order" }
  }

  #await(tree: OpenTree): void {
    for (const [key, { count, id }] of this.#unknown) {
      const awaited = this.#awaited.get(key) ?? { id, parents: [] }
      this.#awaited.set(key, awaited)
      awaited.parents.push({ tree, count })
    }
    tree.missing = this.#unknown.size
    this.#waiting += tree.missing
    this.#pending.add(tree.key)
  }

  /** Notes the size of a tree, and of those that waited for nothing else. */
  #settle(tree: OpenTree): void {
    const settled = [tree]
    for (let next = settled.pop(); next !== undefined && this.#excess === undefined; next = settled.pop()) {
      this.#note(next)
      const { parents = [] } = this.#awaited.get(next.key) ?? {}
      this.#awaited.delete(next.key)
      this.#waiting -= parents.length
      for (const { count, tree: parent } of parents) {
        this.#add(parent, next, count)
        if (--parent.missing === 0) settled.push(parent)
      }
    }
  }

  #note({ depth, key, paths }: OpenTree): void {
    this.#pending.delete(key)
    this.#sizes.set(key, { depth, paths })
    if (!this.#isComplete || ++this.#remembered > maxRemembered) return
    this.#recent.set(key, { depth, paths })
  }
}
