import { Context, Data, Effect, Layer } from "effect"
import { AppConfig } from "../../config.ts"
import { inClass } from "../../platform/work/CurrentWork.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { readTrees } from "./readTrees.ts"
import { RecentSizes } from "./SizeTable.ts"
import { type TreeFault, type TreeMaxima, TreeSizes } from "./TreeSizes.ts"

/** Trees are not taken. The message names the limit, for whoever sent them. */
export class TreesRefused extends Data.TaggedError("TreesRefused")<
  { readonly fault: TreeFault | { readonly _tag: "Time" } } & TreeMaxima
> {
  override get message() {
    return textOf(this.fault, this)
  }
}

const textOf = (fault: TreesRefused["fault"], { maxDepth, maxPaths }: TreeMaxima): string => {
  switch (fault._tag) {
    case "Paths":
      return `tree ${fault.id} expands to more than ${maxPaths} paths (limit MAX_TREE_PATHS)`
    case "Depth":
      return `tree ${fault.id} is nested deeper than ${maxDepth} directories (limit MAX_TREE_DEPTH)`
    case "Directories":
      return `tree ${fault.id} has too many directories`
    case "Order":
      return "the trees come in an order in which they cannot be checked; pack them anew with git repack -adf"
    case "Time":
      return "checking the trees took too long; send the history in parts"
  }
}

/** How far trees may expand when they are walked with everything below them: what is refused when it comes in never has to be walked. */
export class TreeLimits extends Context.Service<
  TreeLimits,
  {
    /** The highest number of names in a path. */
    readonly maxDepth: number
    /**
     * Checks every tree among the objects of a folder, which is that of the repository or stands in front of it, whatever commit, tag or
     * nothing leads to it. Subtrees of the repository that are not remembered are read too.
     */
    readonly check: (repository: Repository, folder: string) => Effect.Effect<void, TreesRefused | GitFailed>
  }
>()("chronoforge/git/TreeLimits") {
  static readonly layer: Layer.Layer<TreeLimits, never, AppConfig> = Layer.effect(
    TreeLimits,
    Effect.map(AppConfig, ({ maxTreeDepth, maxTreePaths }) => makeTreeLimits({ maxDepth: maxTreeDepth, maxPaths: maxTreePaths }))
  )
}

/** Reading the trees of a large history takes a tenth of the time that git takes for it. */
const timeLimit = "30 minutes"
/** The sizes of half a million trees, or twice as many, take 28 MiB at most. */
const maxRecent = 500_000

export const makeTreeLimits = (maxima: TreeMaxima): TreeLimits["Service"] => {
  const recent = new RecentSizes(maxRecent)
  const check = Effect.fn("git.checkTrees")(function* (
    repository: Repository,
    folder: string
  ): Effect.fn.Return<void, TreesRefused | GitFailed> {
    const sizes = new TreeSizes(maxima, recent)
    const refuse = (fault: TreesRefused["fault"]) => Effect.fail(new TreesRefused({ fault, ...maxima }))
    yield* Effect.timeoutOrElse(inClass("transfer")(readTrees(repository, folder, sizes)), {
      duration: timeLimit,
      orElse: () => refuse({ _tag: "Time" })
    })
    if (sizes.fault !== undefined) return yield* refuse(sizes.fault)
  })
  return { maxDepth: maxima.maxDepth, check }
}
