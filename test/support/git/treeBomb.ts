import { formatTree } from "#src/git/objects/treeObject.ts"
import type { GitFixture } from "./gitFixtures.ts"

type Names = ReadonlyArray<string>
const names = (count: number): Names => Array.from({ length: count }, (_, index) => `e${String(index).padStart(6, "0")}`)

/** Writes a tree with this many entries, all of them the same file or directory; answers its id. */
export const wideTree = ({ object }: GitFixture, width: number, below?: string): string => {
  const id = below ?? object("blob", "x")
  const mode = below === undefined ? "100644" : "40000"
  return object("tree", formatTree(names(width).map((name) => ({ mode, name: Buffer.from(name), id }))))
}

/** Writes trees of `width` entries on `levels` levels, which expand to about `width ** levels` paths; answers the id of each, the root last. */
export const treeBomb = (fixture: GitFixture, width: number, levels: number): ReadonlyArray<string> => {
  const trees = [wideTree(fixture, width)]
  while (trees.length < levels) trees.push(wideTree(fixture, width, trees.at(-1)))
  return trees
}

/** How many paths the root of such trees has. */
export const bombPaths = (width: number, levels: number): number =>
  levels === 0 ? 0 : width * (1 + bombPaths(width, levels - 1))
