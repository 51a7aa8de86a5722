import { join } from "node:path"
import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../../config.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { inClass } from "../../platform/work/CurrentWork.ts"
import { inPlace } from "../../platform/work/WorkPlaces.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { findDirectory, type TreePlace } from "./findDirectory.ts"
import { readGiven, readTrees } from "./readTrees.ts"
import { RecentSizes } from "./SizeTable.ts"
import { TreeReader } from "./TreeReader.ts"
import { type TreeMaxima, TreeSizes } from "./TreeSizes.ts"
import { type Excess, TreesRefused } from "./TreesRefused.ts"

/** A tree that is to be written. */
export interface NewTree {
  readonly id: string
  /** Its path; empty for a root. */
  readonly path: string
  readonly content: Buffer
}

/** How far trees may expand when they are walked with everything below them: what is refused when it comes in never has to be walked. */
export class TreeLimits extends Context.Service<
  TreeLimits,
  {
    /**
     * Checks every tree among the objects of a folder, which is that of the repository or stands in front of it, whatever commit, tag or
     * nothing leads to it, and the bytes of all objects there together. Subtrees of the repository that are not remembered are read too. `tips` are the ids of what leads to most of the
     * trees, by which those that are refused are named.
     */
    readonly check: (
      repository: Repository,
      folder: string,
      tips: Effect.Effect<ReadonlyArray<string>, GitFailed>
    ) => Effect.Effect<void, TreesRefused | GitFailed>
    /** Checks a tree of the repository, with all below it. */
    readonly checkTree: (repository: Repository, tree: string) => Effect.Effect<void, TreesRefused | GitFailed>
    /** Checks trees that are to be written, and what they lead to in the repository. */
    readonly checkNew: (repository: Repository, trees: ReadonlyArray<NewTree>) => Effect.Effect<void, TreesRefused | GitFailed>
    /** Checks the path of a file. */
    readonly checkPath: (path: string) => Effect.Effect<void, TreesRefused>
  }
>()("chronoforge/git/TreeLimits") {
  static readonly layer: Layer.Layer<TreeLimits, never, AppConfig> = Layer.effect(
    TreeLimits,
    Effect.map(AppConfig, ({ maxInflatedSize, maxTreeDepth, maxTreePaths }) =>
      makeTreeLimits({ maxDepth: maxTreeDepth, maxPaths: maxTreePaths, maxInflated: maxInflatedSize * 1024 * 1024 })
    )
  )
}

/** Reading the trees of a large history takes a tenth of the time that git takes for it. */
const timeLimit = "30 minutes"
/** The sizes of half a million trees, or twice as many, take 28 MiB at most. */
const maxRecent = 500_000

const objectsOf = ({ path }: Repository): string => join(path, "objects")

/** A tree as `git cat-file --batch-command` would print it. */
const printed = ({ content, id }: NewTree): Buffer =>
  Buffer.concat([Buffer.from(`${id} tree ${content.length}\n`), content, Buffer.from("\n")])

export const makeTreeLimits = (maxima: TreeMaxima): TreeLimits["Service"] => {
  const recent = new RecentSizes(maxRecent)

  /** Refuses what was found, with the directory where that is. */
  const refuse = Effect.fnUntraced(function* (
    excess: Excess,
    place: TreePlace,
    tips: Effect.Effect<ReadonlyArray<string>, GitFailed>
  ): Effect.fn.Return<never, TreesRefused | GitFailed> {
    const directory = "id" in excess ? yield* findDirectory(place, excess.id, yield* tips) : undefined
    return yield* new TreesRefused({ excess, directory, ...maxima })
  })

  const check = Effect.fnUntraced(function* (
    repository: Repository,
    folder: string,
    tips: Effect.Effect<ReadonlyArray<string>, GitFailed>
  ): Effect.fn.Return<void, TreesRefused | GitFailed> {
    const sizes = new TreeSizes(maxima, recent)
    yield* Effect.timeoutOrElse(inClass("transfer")(readTrees(repository, folder, sizes)), {
      duration: timeLimit,
      orElse: () => new TreesRefused({ excess: { _tag: "Time" }, ...maxima })
    })
    if (sizes.excess !== undefined) return yield* refuse(sizes.excess, { repository, folder }, tips)
  }, spanned("git.checkTrees"))

  /** Reads these trees of a repository, and those that they lead to. */
  const read = (repository: Repository, sizes: TreeSizes, ids: ReadonlyArray<string>) =>
    ids.length === 0 || sizes.excess !== undefined
      ? Effect.void
      : Effect.catchTag(inPlace(repository.path, readGiven(repository, objectsOf(repository), sizes, ids)), "TooBusy", Effect.die)

  const checkTree = Effect.fnUntraced(function* (
    repository: Repository,
    tree: string
  ): Effect.fn.Return<void, TreesRefused | GitFailed> {
    const sizes = new TreeSizes(maxima, recent)
    yield* read(repository, sizes, [tree])
    if (sizes.excess !== undefined)
      return yield* refuse(sizes.excess, { repository, folder: objectsOf(repository) }, Effect.succeed([tree]))
  }, spanned("git.checkTree"))

  const checkNew = Effect.fnUntraced(function* (
    repository: Repository,
    trees: ReadonlyArray<NewTree>
  ): Effect.fn.Return<void, TreesRefused | GitFailed> {
    const sizes = new TreeSizes(maxima, recent)
    const reader = new TreeReader(sizes, () => {})
    for (const tree of trees) reader.push(printed(tree))
    yield* read(repository, sizes, sizes.takeUnread())
    const { excess } = sizes
    if (excess === undefined) return
    const directory = "id" in excess ? trees.find(({ id }) => id === excess.id)?.path : undefined
    return yield* new TreesRefused({ excess, directory, ...maxima })
  }, spanned("git.checkNewTrees"))

  const checkPath = (path: string) =>
    path.split("/").length > maxima.maxDepth
      ? Effect.fail(new TreesRefused({ excess: { _tag: "Path", path }, ...maxima }))
      : Effect.void
  return { check, checkTree, checkNew, checkPath }
}
