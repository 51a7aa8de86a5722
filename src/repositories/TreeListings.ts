import { Context, Effect, Layer } from "effect"
import type { Objects } from "../git/Objects.ts"
import type { GitFailed, Repository } from "../git/Repository.ts"
import { listDirectory, listRecursively, type TreeEntry } from "../git/tree.ts"

type Listing = ReadonlyArray<TreeEntry>

export interface Listed {
  readonly repository: Repository
  /** Full id. */
  readonly commit: string
  readonly path: string
  readonly isRecursive: boolean
}

/** Lists of directories, of which the last ones are kept: those of a commit never change, and are read page by page. */
export class TreeListings extends Context.Service<
  TreeListings,
  {
    /** In the order of answers; undefined when the path names no directory. */
    readonly of: (listed: Listed) => Effect.Effect<Listing | undefined, GitFailed, Objects>
  }
>()("chronoforge/repositories/TreeListings") {
  /** `entries`: how many are kept, of all lists together. */
  static readonly layerWith = (entries: number): Layer.Layer<TreeListings> =>
    Layer.sync(TreeListings, () => makeListings(entries))
  static readonly layer: Layer.Layer<TreeListings> = TreeListings.layerWith(200_000)
}

/** An empty list takes room too. */
const sizeOf = (listing: Listing): number => listing.length + 1

const makeListings = (capacity: number): TreeListings["Service"] => {
  /** The least recently asked for first. */
  const kept = new Map<string, Listing>()
  let size = 0
  const forget = (key: string, listing: Listing) => {
    if (kept.delete(key)) size -= sizeOf(listing)
  }
  const keep = (key: string, listing: Listing) => {
    const known = kept.get(key)
    if (known !== undefined) forget(key, known)
    if (sizeOf(listing) > capacity) return
    kept.set(key, listing)
    size += sizeOf(listing)
    for (const [oldest, old] of kept) {
      if (size <= capacity) return
      forget(oldest, old)
    }
  }
  return {
    of: Effect.fnUntraced(function* ({ commit, isRecursive, path, repository }) {
      const key = `${isRecursive ? "all" : "one"} ${commit} ${repository.path} ${path}`
      const listing =
        kept.get(key) ??
        (yield* isRecursive ? listRecursively(repository, commit, path) : listDirectory(repository, commit, path))
      if (listing !== undefined) keep(key, listing)
      return listing
    })
  }
}
