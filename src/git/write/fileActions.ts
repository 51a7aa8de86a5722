import { Data, Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import type { Objects } from "../objects/Objects.ts"
import { submoduleMode } from "../objects/treeObject.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { TreeLimits } from "../trees/TreeLimits.ts"
import type { TreesRefused } from "../trees/TreesRefused.ts"
import { type EditedFile, editTree, type TreeEditor } from "./editTree.ts"
import { isFilePath } from "./filePaths.ts"
import { idOf, writeObject } from "./writeObject.ts"

interface FileContent {
  readonly path: string
  readonly content: Uint8Array
  readonly isExecutable?: boolean
}

/**
 * One action of a commit. A move without content keeps the content. Without `isExecutable` a file keeps its mode; a new one is not
 * executable.
 */
export type FileAction =
  | ({ readonly _tag: "create" } & FileContent)
  | ({ readonly _tag: "update" } & FileContent)
  | ({ readonly _tag: "move"; readonly previousPath: string } & Partial<FileContent> & Pick<FileContent, "path">)
  | { readonly _tag: "delete"; readonly path: string }
  | { readonly _tag: "chmod"; readonly path: string; readonly isExecutable: boolean }

/**
 * An action that cannot be. `exists`: there is a file already; `missing`: there is none; `isDirectory`: there is a directory;
 * `isSubmodule`: a submodule can have no content; `belowFile`: a directory of the path is a file; `badPath`: see `isFilePath`.
 */
export class ActionRefused extends Data.TaggedError("ActionRefused")<{
  readonly reason: "exists" | "missing" | "isDirectory" | "isSubmodule" | "belowFile" | "badPath"
  readonly path: string
}> {}

const blobId = (content: Uint8Array): string => idOf("blob", content)

/**
 * Applies actions one after the other to a tree (undefined: an empty one) and answers the id of the new tree, which is written with its
 * files. Nothing is written when one is refused.
 */
export const applyActions = Effect.fnUntraced(function* (
  repository: Repository,
  treeId: string | undefined,
  actions: ReadonlyArray<FileAction>
): Effect.fn.Return<string, ActionRefused | TreesRefused | GitFailed, Objects | TreeLimits> {
  const limits = yield* TreeLimits
  for (const { path } of actions) yield* limits.checkPath(path)
  const editor = yield* editTree(repository, treeId)
  for (const action of actions) yield* apply(editor, action)
  const { root, trees } = yield* editor.changed
  if (actions.some(addsPaths)) yield* limits.checkNew(repository, trees)
  const contents = actions.flatMap((action) => ("content" in action && action.content !== undefined ? [action.content] : []))
  yield* Effect.forEach(contents, (content) => writeObject(repository, "blob", content), { concurrency: 8, discard: true })
  yield* Effect.forEach(trees, ({ content }) => writeObject(repository, "tree", content), { concurrency: 8, discard: true })
  return root
}, spanned("git.applyActions"))

/** Other actions are possible also where a tree has too many paths already. */
const addsPaths = ({ _tag }: FileAction): boolean => _tag === "create" || _tag === "move"

const apply = (editor: TreeEditor, action: FileAction): Effect.Effect<void, ActionRefused | GitFailed, Objects> => {
  const bad = [action.path, ...(action._tag === "move" ? [action.previousPath] : [])].find((path) => !isFilePath(path))
  if (bad !== undefined) return Effect.fail(new ActionRefused({ reason: "badPath", path: bad }))
  switch (action._tag) {
    case "create":
      return create(editor, action)
    case "move":
      return move(editor, action)
    default:
      return change(editor, action)
  }
}

const modeFor = (isExecutable: boolean | undefined, old: string): string => {
  // Links and submodules have no such bit.
  if (isExecutable === undefined || !old.startsWith("100")) return old
  return isExecutable ? "100755" : "100644"
}

const put = Effect.fnUntraced(function* (editor: TreeEditor, path: string, file: { readonly mode: string; readonly id: string }) {
  const found = yield* editor.find(path)
  if (found._tag === "file") return yield* new ActionRefused({ reason: "exists", path })
  if (found._tag !== "nothing") {
    return yield* new ActionRefused({ reason: found._tag === "folder" ? "isDirectory" : "belowFile", path })
  }
  yield* editor.put(path, file.mode, file.id)
})

const existing = Effect.fnUntraced(function* (editor: TreeEditor, path: string) {
  const found = yield* editor.find(path)
  return found._tag === "file" ? found.file : yield* new ActionRefused({ reason: "missing", path })
})

/** The id of new content in place of a file. */
const replaced = (content: Uint8Array, { mode }: EditedFile, path: string) =>
  mode === submoduleMode ? Effect.fail(new ActionRefused({ reason: "isSubmodule", path })) : Effect.succeed(blobId(content))

type Of<Tag extends FileAction["_tag"]> = Extract<FileAction, { readonly _tag: Tag }>

const create = (editor: TreeEditor, { content, isExecutable, path }: Of<"create">) =>
  put(editor, path, { mode: modeFor(isExecutable, "100644"), id: blobId(content) })

const move = Effect.fnUntraced(function* (editor: TreeEditor, { content, isExecutable, path, previousPath }: Of<"move">) {
  const old = yield* existing(editor, previousPath)
  yield* editor.remove(previousPath)
  yield* put(editor, path, {
    mode: modeFor(isExecutable, old.mode),
    id: content === undefined ? old.id : yield* replaced(content, old, previousPath)
  })
})

const change = Effect.fnUntraced(function* (editor: TreeEditor, action: Of<"update" | "delete" | "chmod">) {
  const { path } = action
  const old = yield* existing(editor, path)
  if (action._tag === "delete") return yield* editor.remove(path)
  const id = action._tag === "update" ? yield* replaced(action.content, old, path) : old.id
  yield* editor.put(path, modeFor(action.isExecutable, old.mode), id)
})
