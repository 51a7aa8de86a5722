import { createHash } from "node:crypto"
import { join } from "node:path"
import { expect, it } from "vitest"
import { formatTree } from "#src/git/objects/treeObject.ts"
import { readLooseTrees } from "#src/git/trees/looseTrees.ts"
import { RecentSizes } from "#src/git/trees/SizeTable.ts"
import { TreeReader } from "#src/git/trees/TreeReader.ts"
import { TreeSizes } from "#src/git/trees/TreeSizes.ts"
import { useEmptyRepository } from "../useRepository.ts"

const empty = useEmptyRepository()

it("trees of any width are read without git, and other objects left out", async () => {
  const { object, repository } = empty()
  const hash = (text: string) => createHash("sha1").update(text).digest("hex")
  const trees = [1, 3, 40, 400].map((width) => {
    const entries = Array.from({ length: width }, (_, index) => {
      const id = hash(`${width} ${index}`)
      return { mode: "100644", name: Buffer.from(`${id.slice(0, index % 30)}${index}`), id }
    })
    return object("tree", formatTree(entries))
  })
  for (const content of ["", "x", trees.join("\n").repeat(100)]) object("blob", content)
  const sizes = new TreeSizes({ maxPaths: 399, maxDepth: 1 }, new RecentSizes(10))
  let read = 0
  const isRead = await readLooseTrees(join(repository.path, "objects"), new TreeReader(sizes, () => void read++))
  expect([isRead, read, sizes.excess]).toEqual([true, trees.length, { _tag: "Paths", id: trees.at(-1) }])
})
