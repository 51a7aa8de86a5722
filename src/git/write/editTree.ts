import { isUtf8 } from "node:buffer"
import { Effect } from "effect"
import { decodeText } from "../objects/decodeText.ts"
import type { Objects } from "../objects/Objects.ts"
import { readTree } from "../objects/tree.ts"
import { formatTree, type RawEntry, treeMode } from "../objects/treeObject.ts"
import { type GitFailed, missingObject, type Repository } from "../Repository.ts"
import type { NewTree } from "../trees/TreeLimits.ts"
import { idOf } from "./writeObject.ts"

/** What a path leads to. */
export interface EditedFile {
  readonly mode: string
  readonly id: string
}

/** A directory that was read; its changed ones have no id. Names are their bytes as Latin-1 characters, so that all are kept. */
interface Folder {
  id: string | undefined
  readonly files: Map<string, EditedFile>
  readonly folders: Map<string, Folder | string>
  /** The names that are not UTF-8, by which listings show them. */
  readonly decoded: ReadonlyArray<{ readonly name: string; readonly shown: string }>
}

/** What was found at a path; with `belowFile`, a part of the path before the last is a file. */
export type Found = { readonly _tag: "file"; readonly file: EditedFile } | { readonly _tag: "folder" | "nothing" | "belowFile" }

export interface Changed {
  readonly root: string
  readonly trees: ReadonlyArray<NewTree>
}

/** A tree with changes that are not written yet. */
export interface TreeEditor {
  /** What is at the path with the changes so far. */
  readonly find: (path: string) => Effect.Effect<Found, GitFailed, Objects>
  /** Puts a file at a path where there is nothing, or a file. */
  readonly put: (path: string, mode: string, id: string) => Effect.Effect<void, GitFailed, Objects>
  /** Removes a file, and directories that have nothing left. */
  readonly remove: (path: string) => Effect.Effect<void, GitFailed, Objects>
  /** The id of the root, and the changed directories, which are to be written; each comes behind those in it. */
  readonly changed: Effect.Effect<Changed>
}

const partsOf = (path: string) => path.split("/")

const has = ({ files, folders }: Folder, name: string): boolean => files.has(name) || folders.has(name)

/** The name of an entry as a folder has it; one that is not UTF-8 is found as it is shown. What is not there is named in UTF-8. */
const nameIn = (folder: Folder, part: string): string => {
  const name = Buffer.from(part).toString("latin1")
  if (has(folder, name)) return name
  return folder.decoded.find((one) => one.shown === part && has(folder, one.name))?.name ?? name
}

const emptyFolder = (): Folder => ({ id: undefined, files: new Map(), folders: new Map(), decoded: [] })

const toFolder = (id: string, entries: ReadonlyArray<RawEntry>): Folder => {
  const decoded = entries
    .filter(({ name }) => !isUtf8(name))
    .map(({ name }) => ({ name: name.toString("latin1"), shown: decodeText(name) }))
  const folder: Folder = { id, files: new Map(), folders: new Map(), decoded }
  for (const { id, mode, name } of entries) {
    if (mode === treeMode) folder.folders.set(name.toString("latin1"), id)
    else folder.files.set(name.toString("latin1"), { mode, id })
  }
  return folder
}

/** Edits the tree of this id; undefined: an empty one. Paths must have passed `isFilePath`. Directories are read when they are needed. */
export const editTree = (repository: Repository, treeId: string | undefined): Effect.Effect<TreeEditor, GitFailed, Objects> =>
  Effect.map(treeId === undefined ? Effect.succeed(emptyFolder()) : load(repository, treeId), (root) => ({
    find: (path) => find(repository, root, path),
    put: (path, mode, id) => put(repository, root, path, { mode, id }),
    remove: (path) => Effect.asVoid(remove(repository, root, partsOf(path))),
    changed: Effect.suspend(() => {
      const trees: Array<NewTree> = []
      return Effect.map(format(root, [], trees), (id) => ({ root: id, trees }))
    })
  }))

/** A tree that is missing is no empty one: what it held would be lost in what is written. */
const load = Effect.fnUntraced(function* (repository: Repository, id: string): Effect.fn.Return<Folder, GitFailed, Objects> {
  const entries = yield* readTree(repository, id)
  return entries === undefined ? yield* missingObject("tree", id) : toFolder(id, entries)
})

const enter = Effect.fnUntraced(function* (repository: Repository, folder: Folder, name: string) {
  const below = folder.folders.get(name)
  if (typeof below !== "string") return below
  const loaded = yield* load(repository, below)
  folder.folders.set(name, loaded)
  return loaded
})

const find = Effect.fnUntraced(function* (
  repository: Repository,
  root: Folder,
  path: string
): Effect.fn.Return<Found, GitFailed, Objects> {
  const parts = partsOf(path)
  const last = parts.pop() ?? ""
  let folder = root
  for (const part of parts) {
    const name = nameIn(folder, part)
    if (folder.files.has(name)) return { _tag: "belowFile" }
    const below = yield* enter(repository, folder, name)
    if (below === undefined) return { _tag: "nothing" }
    folder = below
  }
  const name = nameIn(folder, last)
  const file = folder.files.get(name)
  if (file !== undefined) return { _tag: "file", file }
  return { _tag: folder.folders.has(name) ? "folder" : "nothing" }
})

const put = Effect.fnUntraced(function* (repository: Repository, root: Folder, path: string, file: EditedFile) {
  const parts = partsOf(path)
  const last = parts.pop() ?? ""
  let folder = root
  for (const part of parts) {
    folder.id = undefined
    const name = nameIn(folder, part)
    const below: Folder = (yield* enter(repository, folder, name)) ?? emptyFolder()
    folder.folders.set(name, below)
    folder = below
  }
  folder.id = undefined
  folder.files.set(nameIn(folder, last), file)
})

/** Whether the folder has nothing left. */
const remove = Effect.fnUntraced(function* (
  repository: Repository,
  folder: Folder,
  [part = "", ...rest]: ReadonlyArray<string>
): Effect.fn.Return<boolean, GitFailed, Objects> {
  folder.id = undefined
  const name = nameIn(folder, part)
  if (rest.length === 0) folder.files.delete(name)
  else {
    const below = yield* enter(repository, folder, name)
    if (below !== undefined && (yield* remove(repository, below, rest))) folder.folders.delete(name)
  }
  return folder.files.size === 0 && folder.folders.size === 0
})

const bytes = (name: string) => Buffer.from(name, "latin1")

/** Puts a folder behind what changed below it, unless it did not change itself; answers its id. */
const format = Effect.fnUntraced(function* (
  folder: Folder,
  names: ReadonlyArray<string>,
  trees: Array<NewTree>
): Effect.fn.Return<string> {
  if (folder.id !== undefined) return folder.id
  const folders: ReadonlyArray<RawEntry> = yield* Effect.forEach(folder.folders, ([name, below]) =>
    Effect.map(typeof below === "string" ? Effect.succeed(below) : format(below, [...names, name], trees), (id) => ({
      mode: treeMode,
      name: bytes(name),
      id
    }))
  )
  const files = Array.from(folder.files, ([name, { id, mode }]) => ({ mode, name: bytes(name), id }))
  const content = formatTree([...folders, ...files])
  const id = idOf("tree", content)
  trees.push({ id, content, path: decodeText(bytes(names.join("/"))) })
  return id
})
