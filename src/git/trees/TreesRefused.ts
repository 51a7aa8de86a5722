import { Data } from "effect"
import { mebibyte } from "../../kernel/units.ts"
import type { TreeExcess, TreeMaxima } from "./TreeSizes.ts"

/** What is not taken: trees, or one path that has too many names. */
export type Excess = TreeExcess | { readonly _tag: "Time" } | { readonly _tag: "Path"; readonly path: string }

/** Objects are not taken. The message names the limit, and where it is exceeded as far as that is known, for whoever sent them. */
export class TreesRefused extends Data.TaggedError("TreesRefused")<
  {
    readonly excess: Excess
    /** The path of the tree; empty for the root of a commit. */
    readonly directory?: string | undefined
  } & TreeMaxima
> {
  override get message() {
    return textOf(this)
  }
}

/** So many characters of a path are told. */
const maxShown = 200

/** A path as it can be shown: names may hold whatever tells a terminal what to do. */
const shown = (path: string): string => {
  const plain = path.replace(/\p{C}/gu, "\ufffd")
  return plain.length > maxShown ? `${plain.slice(0, maxShown)}…` : plain
}

const subject = (id: string, directory: string | undefined): string => {
  if (directory === undefined) return `tree ${id}`
  return `${directory === "" ? "the root directory" : `directory ${shown(directory)}`} (tree ${id})`
}

const textOf = ({ directory, excess, maxDepth, maxInflated = 0, maxPaths }: TreesRefused): string => {
  switch (excess._tag) {
    case "Paths":
      return `${subject(excess.id, directory)} expands to more than ${maxPaths} paths (limit MAX_TREE_PATHS)`
    case "Depth":
      return `${subject(excess.id, directory)} is nested deeper than ${maxDepth} directories (limit MAX_TREE_DEPTH)`
    case "Directories":
      return `${subject(excess.id, directory)} has too many directories`
    case "Path":
      return `path ${shown(excess.path)} has more than ${maxDepth} names (limit MAX_TREE_DEPTH)`
    case "Inflated":
      return `all objects together have more than ${Math.floor(maxInflated / mebibyte)} MiB when they are worked out (limit MAX_INFLATED_SIZE)`
    case "Order":
      return "the trees come in an order in which they cannot be checked; pack them anew with git repack -adf"
    case "Time":
      return "checking the trees took too long; send the history in parts"
  }
}
