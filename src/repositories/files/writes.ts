import { Effect } from "effect"
import type { FileAction } from "../../git/write/fileActions.ts"
import { badRequest, forbidden } from "../../http/answer/errors.ts"
import { noContent, ok } from "../../http/answer/Reply.ts"
import { guardedRoute, type Input } from "../../http/Endpoint.ts"
import { defined } from "../../kernel/defined.ts"
import { can } from "../../projects/Projects.ts"
import { contentOf, hasChanged, plainPath, requireBase64, writeActions } from "../commits/actions.ts"
import { makeCommit } from "../commits/makeCommit.ts"
import { requirePush, requireStart } from "../commits/start.ts"
import { type OpenRepository, openCode } from "../openRepository.ts"
import { createFile, deleteFile, updateFile } from "./contract.ts"
import { requirePath } from "./view.ts"

type WriteInput = Input<typeof deleteFile.parameters, "user"> & { readonly guarded: OpenRepository }

interface FileChange {
  /** The contents of the request, if it has any. */
  readonly contents: Parameters<typeof requireBase64>[0]
  readonly actionAt: (path: string) => FileAction
  /** The text for a file that changed since the caller read it. */
  readonly changedText: string
}

/** Makes a commit of one action on the file. */
const commitFile = Effect.fnUntraced(function* (input: WriteInput, fileChange: FileChange) {
  const { guarded, parameters } = input
  const { repository, principal } = guarded
  const { branch } = parameters
  const path = plainPath(yield* requirePath(parameters.file_path))
  if (!can("push_code", principal, guarded.project)) return yield* forbidden
  const policy = yield* requirePush(guarded, branch)
  yield* requireBase64(fileChange.contents)
  const known = { path, commit: parameters.last_commit_id }
  yield* makeCommit(guarded, {
    branch,
    policy,
    start: Effect.tap(requireStart(guarded, { branch, startBranch: parameters.start_branch || undefined }), ({ parent }) =>
      Effect.flatMap(hasChanged(repository, parent, known), (is) =>
        is ? Effect.fail(badRequest(fileChange.changedText)) : Effect.void
      )
    ),
    write: writeActions(input, [fileChange.actionAt(path)])
  })
})

type Writing = Input<typeof createFile.parameters, "user">["parameters"]

/** The content as sent; without a mode, the file keeps its own. */
const contentAt =
  (tag: "create" | "update", { content, encoding, execute_filemode }: Writing) =>
  (path: string): FileAction => ({
    _tag: tag,
    path,
    content: contentOf(content, encoding),
    ...defined({ isExecutable: execute_filemode ?? undefined })
  })

const changed = "You are attempting to update a file that has changed since you started editing it."
const changedBeforeDeletion = "You are attempting to delete a file that has been previously updated."

const write = (tag: "create" | "update") =>
  Effect.fnUntraced(function* (input: WriteInput & { readonly parameters: Writing }) {
    const { branch, file_path } = input.parameters
    const fileChange = { contents: [input.parameters], actionAt: contentAt(tag, input.parameters), changedText: changed }
    yield* commitFile(input, fileChange)
    return ok({ file_path: file_path ?? "", branch })
  })

const create = guardedRoute(createFile, openCode, write("create"))
const update = guardedRoute(updateFile, openCode, write("update"))

const remove = guardedRoute(
  deleteFile,
  openCode,
  Effect.fnUntraced(function* (input) {
    const actionAt = (path: string): FileAction => ({ _tag: "delete", path })
    yield* commitFile(input, { contents: [], actionAt, changedText: changedBeforeDeletion })
    return noContent
  })
)

export const fileWrites = [create, update, remove]
