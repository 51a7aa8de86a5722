import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { Objects } from "../../git/objects/Objects.ts"
import { listDirectory, listRecursively, type TreeEntry } from "../../git/objects/tree.ts"
import type { GitFailed, Repository } from "../../git/Repository.ts"
import { singleFlight } from "../../platform/work/singleFlight.ts"

type Listing = ReadonlyArray<TreeEntry>

export interface Listed {
  readonly repository: Repository
  /** The full id of the commit. */
  readonly commit: string
  readonly path: string
  readonly isRecursive: boolean
}

/** Lists of directories, of which the last ones are kept: those of a commit never change, and are read page by page. */
export class TreeListings extends Context.Service<
  TreeListings,
  {
    /**
     * Lists a directory in the order of answers; undefined when the path names no directory. Concurrent callers of the same list share
     * one run.
     */
    readonly of: (listed: Listed) => Effect.Effect<Listing | undefined, GitFailed, Objects>
  }
>()("chronoforge/repositories/TreeListings") {
  /** The layer with a cache of about this many bytes. */
  static readonly layerWith = (bytes: number): Layer.Layer<TreeListings> => Layer.sync(TreeListings, () => makeListings(bytes))
  static readonly layer: Layer.Layer<TreeListings> = TreeListings.layerWith(48 * 1024 * 1024)
}

/** The bytes of an entry in memory, without its path. */
const entryBytes = 200
/** About what a list takes; an empty one takes room too. */
const bytesOf = (listing: Listing): number => listing.reduce((bytes, { path }) => bytes + entryBytes + path.length, entryBytes)

const read = ({ commit, isRecursive, path, repository }: Listed) =>
  isRecursive ? listRecursively(repository, commit, path) : listDirectory(repository, commit, path)

const makeListings = (capacity: number): TreeListings["Service"] => {
  const shared = singleFlight<Listing | undefined, GitFailed>()
  const listings = new LRUCache<string, Listing>({ maxSize: capacity, sizeCalculation: bytesOf })
  const readAndKeep = Effect.fnUntraced(function* (key: string, listed: Listed) {
    const listing = yield* read(listed)
    if (listing !== undefined) listings.set(key, listing)
    return listing
  })
  return {
    of: Effect.fnUntraced(function* (listed) {
      const { commit, isRecursive, path, repository } = listed
      const key = `${isRecursive ? "all" : "one"} ${commit} ${repository.path} ${path}`
      const known = listings.get(key)
      return known ?? (yield* shared(key, Effect.provideService(readAndKeep(key, listed), Objects, yield* Objects)))
    })
  }
}
