import { isUtf8 } from "node:buffer"
import { Effect } from "effect"
import { consume } from "../process/consume.ts"
import { GitFailed, type Repository } from "../Repository.ts"
import { decodePath, decodeText } from "./decodeText.ts"
import { Objects } from "./Objects.ts"
import { parseTree, type RawEntry } from "./treeObject.ts"

/** The type of an entry; `commit` is a submodule. */
export type EntryType = "tree" | "blob" | "commit"

export interface TreeEntry {
  readonly id: string
  readonly name: string
  readonly type: EntryType
  /** The path from the root, without a slash at either end. Bytes that are not UTF-8 are decoded by `decodePath`. */
  readonly path: string
  /** The mode has six digits: `040000`, `100644`, `100755`, `120000` (symbolic link), `160000` (submodule). */
  readonly mode: string
}

/** Maps modes to those that `git` shows: repositories of other origin have further ones. */
const showMode = (mode: string): string => {
  const bits = Number.parseInt(mode, 8)
  const kind = bits & 0o170000
  if (kind === 0o100000) return bits & 0o100 ? "100755" : "100644"
  if (kind === 0o120000) return "120000"
  return kind === 0o040000 ? "040000" : "160000"
}

const typeOf = (mode: string): EntryType => (mode === "040000" ? "tree" : mode === "160000" ? "commit" : "blob")

const toEntry = ({ id, mode, name }: RawEntry, folder: string): TreeEntry => {
  const text = decodeText(name)
  const shown = showMode(mode)
  return { id, name: text, type: typeOf(shown), path: folder === "" ? text : `${folder}/${text}`, mode: shown }
}

/** Splits a path into its parts; superfluous slashes do not count. */
export const pathParts = (path: string): ReadonlyArray<string> => path.split("/").filter((part) => part !== "")

const rank: Readonly<Record<EntryType, number>> = { tree: 0, blob: 1, commit: 2 }
/** Directories, then files, then submodules; within each the order of `git`. */
const ordered = (entries: ReadonlyArray<TreeEntry>) => entries.toSorted((left, right) => rank[left.type] - rank[right.type])

/** Entries of a directory by the id of its tree, or by a revision that leads to one; undefined when it does not. */
export const readTree = Effect.fnUntraced(function* (
  repository: Repository,
  revision: string
): Effect.fn.Return<ReadonlyArray<RawEntry> | undefined, GitFailed, Objects> {
  const object = yield* (yield* Objects).read(repository, revision)
  return object?.type === "tree" ? parseTree(object.content) : undefined
})

/** The entry of a name; one that is not UTF-8 is found by its decoded form, where no other has that name. */
const entryNamed = (entries: ReadonlyArray<RawEntry>, part: string): RawEntry | undefined => {
  const bytes = Buffer.from(part)
  return entries.find(({ name }) => name.equals(bytes)) ?? entries.find(({ name }) => !isUtf8(name) && decodeText(name) === part)
}

const rootOf = (id: string): TreeEntry => ({ id, name: "", type: "tree", path: "", mode: "040000" })

/**
 * What lies at a path of a commit (by its full id); undefined when nothing does, or there is no such commit. The path "" is the root
 * directory, whose name is "".
 */
export const entryAt = Effect.fnUntraced(function* (
  repository: Repository,
  commit: string,
  path: string
): Effect.fn.Return<TreeEntry | undefined, GitFailed, Objects> {
  const root = yield* (yield* Objects).info(repository, `${commit}^{tree}`)
  if (root === undefined) return
  let entry = rootOf(root.id)
  for (const part of pathParts(path)) {
    const entries: ReadonlyArray<RawEntry> = (entry.type === "tree" ? yield* readTree(repository, entry.id) : undefined) ?? []
    const found = entryNamed(entries, part)
    if (found === undefined) return
    entry = toEntry(found, entry.path)
  }
  return entry
})

type List = (repository: Repository, folder: TreeEntry) => Effect.Effect<ReadonlyArray<TreeEntry>, GitFailed, Objects>

const listing = (name: string, list: List) =>
  Effect.fn(name)(function* (
    repository: Repository,
    commit: string,
    path: string
  ): Effect.fn.Return<ReadonlyArray<TreeEntry> | undefined, GitFailed, Objects> {
    const folder = yield* entryAt(repository, commit, path)
    return folder?.type === "tree" ? ordered(yield* list(repository, folder)) : undefined
  })

/** Entries of a directory of a commit (by its full id); undefined when the path names none. */
export const listDirectory = listing("git.listDirectory", (repository, { id, path }) =>
  Effect.map(readTree(repository, id), (entries = []) => entries.map((entry) => toEntry(entry, path)))
)

/** A recursive list has at most so many entries, which take about 200 bytes each. */
const maxListed = 500_000

/** Like `listDirectory`, with everything below. The order is over the whole: all directories, depth first, then all files. */
export const listRecursively = listing("git.listRecursively", (repository, { id, path }) =>
  Effect.suspend(() => {
    const entries: Array<TreeEntry> = []
    const read = listingReader(path, entries)
    const onChunk = (chunk: Buffer) => {
      read(chunk)
      return entries.length > maxListed ? "enough" : undefined
    }
    const args = ["ls-tree", "-r", "-t", "-z", id]
    const tooLong = new GitFailed({ command: args.join(" "), status: null, stderr: "", exceeded: "output" })
    return Effect.flatMap(consume(repository, args, onChunk), (status) =>
      status === null ? Effect.fail(tooLong) : Effect.succeed(entries)
    )
  })
)

/** Reads records of the form `<mode> <type> <id>\t<path>\0` in pieces as they come, so that a long list does not hold up other requests. */
const listingReader = (folder: string, entries: Array<TreeEntry>) => {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk: Buffer): void => {
    const output = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, at)) {
      const tab = output.indexOf(9, at)
      const [mode = "", , id = ""] = output.toString("latin1", at, tab).split(" ")
      const below = decodePath(output.subarray(tab + 1, end))
      const path = folder === "" ? below : `${folder}/${below}`
      entries.push({ id, name: path.slice(path.lastIndexOf("/") + 1), type: typeOf(mode), path, mode })
      at = end + 1
    }
    rest = output.subarray(at)
  }
}
