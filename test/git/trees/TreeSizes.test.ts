import { createHash } from "node:crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { formatTree } from "#src/git/objects/treeObject.ts"
import { RecentSizes } from "#src/git/trees/SizeTable.ts"
import { TreeReader } from "#src/git/trees/TreeReader.ts"
import { type TreeMaxima, TreeSizes } from "#src/git/trees/TreeSizes.ts"

interface Tree {
  readonly id: string
  readonly content: Buffer
  readonly paths: number
  readonly depth: number
}

const blob = "b".repeat(40)
const tree = (files: number, below: ReadonlyArray<Tree>): Tree => {
  const entries = [
    ...Array.from({ length: files }, (_, index) => ({ mode: "100644", name: Buffer.from(`f${index}`), id: blob })),
    ...below.map(({ id }, index) => ({ mode: "40000", name: Buffer.from(`d${index}`), id }))
  ]
  const content = formatTree(entries)
  const id = createHash("sha1").update(`tree ${content.length}\0`).update(content).digest("hex")
  const paths = entries.length + below.reduce((sum, one) => sum + one.paths, 0)
  return { id, content, paths, depth: entries.length === 0 ? 0 : 1 + Math.max(0, ...below.map(({ depth }) => depth)) }
}

/** What git prints of a tree that it has, and of one that it has not. */
const printed = ({ content, id }: Tree) =>
  Buffer.concat([Buffer.from(`${id} tree ${content.length}\n`), content, Buffer.from("\n")])

/** Reads trees in this order, in pieces of so many bytes, and then what is missing, as long as something is. */
const read = (
  trees: ReadonlyArray<Tree>,
  maxima: TreeMaxima,
  { old = [], piece = 64 }: { old?: ReadonlyArray<Tree>; piece?: number } = {}
) => {
  const sizes = new TreeSizes(maxima, new RecentSizes(100))
  const known = new Map([...trees, ...old].map((one) => [one.id, one]))
  let answers = 0
  const reader = new TreeReader(sizes, () => void answers++)
  const give = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += piece) expect(reader.push(Buffer.from(bytes.subarray(at, at + piece)))).toBe(true)
  }
  let asked = trees.length
  for (const one of trees) give(printed(one))
  for (let ids = sizes.takeUnread(); ids.length > 0 && sizes.excess === undefined; ids = sizes.takeUnread()) {
    asked += ids.length
    for (const id of ids) {
      const found = known.get(id)
      give(found === undefined ? Buffer.from(`${id} missing\n`) : printed(found))
    }
  }
  expect(answers).toBe(asked)
  return sizes.excess
}

const noLimit = { maxPaths: 1_000_000_000, maxDepth: 4000 }

/** Trees of which each has some of those before it, perhaps several times. */
const forests = fc
  .array(fc.record({ files: fc.nat(3), below: fc.array(fc.nat(1000), { maxLength: 4 }) }), { minLength: 1, maxLength: 12 })
  .map((plan) => {
    const trees: Array<Tree> = []
    for (const { below, files } of plan)
      trees.push(tree(files, trees.length === 0 ? [] : below.flatMap((index) => trees[index % trees.length] ?? [])))
    return [...new Map(trees.map((one) => [one.id, one])).values()]
  })

describe("the size of trees", () => {
  it("is that of walking them, in whatever order and pieces they come", () => {
    fc.assert(
      fc.property(
        forests,
        fc.infiniteStream(fc.nat()),
        fc.integer({ min: 1, max: 200 }),
        fc.nat(12),
        (trees, order, piece, split) => {
          const shuffled = trees.map((one) => ({ one, rank: order.next().value })).sort((left, right) => left.rank - right.rank)
          const sent = shuffled.map(({ one }) => one)
          const [old, fresh] = [sent.slice(0, split), sent.slice(split)]
          const roots = fresh.length === 0 ? old : fresh
          const reached = new Set<Tree>()
          const known = new Map(trees.map((one) => [one.id, one]))
          const visit = (one: Tree) => {
            reached.add(one)
            for (const next of known.values())
              if (one.content.includes(Buffer.from(next.id, "hex")) && !reached.has(next)) visit(next)
          }
          roots.forEach(visit)
          const maxPaths = Math.max(1, ...Array.from(reached, ({ paths }) => paths))
          const maxDepth = Math.max(1, ...Array.from(reached, ({ depth }) => depth))
          const options = { old, piece }
          expect(read(roots, { maxPaths, maxDepth }, options)).toBeUndefined()
          if (maxPaths > 1) expect(read(roots, { maxPaths: maxPaths - 1, maxDepth }, options)?._tag).toBe("Paths")
          if (maxDepth > 1) expect(read(roots, { maxPaths, maxDepth: maxDepth - 1 }, options)?._tag).toBe("Depth")
        }
      ),
      { seed: 1 }
    )
  })

  it("saturates, so that no number is too large", () => {
    const levels = [tree(1000, [])]
    while (levels.length < 200)
      levels.push(
        tree(
          0,
          Array.from({ length: 50 }, () => levels.at(-1)).flatMap((one) => one ?? [])
        )
      )
    const [, , , fourth = tree(0, [])] = levels
    expect(read(levels.toReversed(), { maxPaths: 5_000_000, maxDepth: 256 })).toEqual({ _tag: "Paths", id: fourth.id })
  })

  it("leaves out what the repository lacks", () => {
    const lost = tree(100, [])
    expect(read([tree(0, [lost])], { maxPaths: 1, maxDepth: 1 })).toBeUndefined()
  })

  it("counts directories by all digits of their modes, as git does", () => {
    const id = Buffer.from(tree(5, []).id, "hex")
    const odd = Buffer.concat([Buffer.from("001040000 d\0"), id])
    const parent = { ...tree(0, []), id: "c".repeat(40), content: odd }
    expect(read([parent], { maxPaths: 5, maxDepth: 9 }, { old: [tree(5, [])] })).toEqual({ _tag: "Paths", id: parent.id })
  })

  it("is known in the end, too, where more trees wait than are kept", () => {
    const leaf = tree(1, [])
    const middle = Array.from({ length: 30 }, (_, index) => tree(index, [leaf]))
    const digits = (index: number) => [1, 30, 900].flatMap((weight) => middle[Math.floor(index / weight) % 30] ?? [])
    const tops = Array.from({ length: 8000 }, (_, index) => tree(0, [...digits(index), ...middle]))
    const sent = [...tops, ...middle, leaf]
    const most = Math.max(...sent.map(({ paths }) => paths))
    expect(read(sent, { maxPaths: most, maxDepth: 3 }, { piece: 65_536 })).toBeUndefined()
    expect(read(sent, { maxPaths: most - 1, maxDepth: 3 }, { piece: 65_536 })).toMatchObject({ _tag: "Paths" })
  })
})

describe("output that is none of git's", () => {
  it.each(["nonsense\n", `${"a".repeat(200)}`, `${"a".repeat(40)} tree x\n`])("is told: %j", (text) => {
    expect(new TreeReader(new TreeSizes(noLimit, new RecentSizes(1)), () => {}).push(Buffer.from(text))).toBe(false)
  })
})

describe("pushes of the same trees at the same time", () => {
  it("learn from each other what they have begun to wait for", () => {
    const recent = new RecentSizes(100)
    const [leaf, other] = [tree(2, []), tree(3, [])]
    const top = tree(1, [leaf, other])
    const push = (maxPaths: number) => {
      const sizes = new TreeSizes({ maxPaths, maxDepth: 10 }, recent)
      const reader = new TreeReader(sizes, () => {})
      return { sizes, give: (one: Tree) => expect(reader.push(printed(one))).toBe(true) }
    }
    const [first, second, tight] = [push(8), push(8), push(7)]
    for (const one of [first, tight]) one.give(top)
    for (const one of [leaf, other, top]) second.give(one)
    expect(second.sizes.takeUnread()).toEqual([])
    for (const one of [first, tight]) {
      expect(one.sizes.takeUnread()).toEqual([leaf.id, other.id])
      one.give(leaf)
      one.give(other)
    }
    expect([first.sizes.takeUnread(), first.sizes.excess]).toEqual([[], undefined])
    expect(tight.sizes.excess).toEqual({ _tag: "Paths", id: top.id })
  })
})
