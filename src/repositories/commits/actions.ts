import { Effect } from "effect"
import { logIds } from "../../git/history/log.ts"
import type { Repository } from "../../git/Repository.ts"
import { commitFiles } from "../../git/write/commitFiles.ts"
import type { ActionRefused, FileAction } from "../../git/write/fileActions.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { badRequest, invalidParameters, type WireError } from "../../http/answer/errors.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { defined } from "../../kernel/defined.ts"
import type { OpenRepository } from "../openRepository.ts"
import type { createCommit } from "./contract.ts"
import { type AuthorParameters, authorOf, identityOf, signed } from "./identity.ts"

export type ActionInput = Decoded<(typeof createCommit)["parameters"]["actions"]["fields"]>

const needs: Readonly<Record<string, "content" | "previous_path" | "execute_filemode">> = {
  update: "content",
  move: "previous_path",
  chmod: "execute_filemode"
}

/** Fails where an action lacks what its kind needs. */
export const requireComplete = (actions: ReadonlyArray<ActionInput>): Effect.Effect<void, WireError> => {
  const texts = actions.flatMap((action, index) => {
    const need = needs[action.action ?? ""]
    return need !== undefined && action[need] === undefined ? [`actions[${index}][${need}] is missing`] : []
  })
  return texts.length === 0 ? Effect.void : Effect.fail(invalidParameters(texts))
}

/** Slashes too many, and parts that stay where they are, do not count. */
export const plainPath = (path: string | null | undefined): string =>
  (path ?? "")
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/")

interface ContentInput {
  readonly action?: string | null | undefined
  readonly file_path?: string | null | undefined
  readonly content?: string | null | undefined
  readonly encoding?: string | undefined
}

const withoutContent: ReadonlySet<string | null | undefined> = new Set(["delete", "chmod"])

/** Whether a character, by its code, is a digit of Base64 in either alphabet. */
const isDigit = Array.from({ length: 128 }, (_, code) => /[\w+/-]/.test(String.fromCharCode(code)))
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)
const padding = "=".charCodeAt(0)

/** Whether a text is Base64; it is checked in one pass, because a content has megabytes. */
const isBase64 = (text: string): boolean => {
  let digits = 0
  let padded = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) continue
    if (code === padding) padded++
    else if (padded === 0 && isDigit[code] === true) digits++
    else return false
  }
  return padded <= 2 && digits % 4 !== 1
}

/** Fails where a content is not in the encoding that it is said to be in. White space does not count. */
export const requireBase64 = (contents: ReadonlyArray<ContentInput>): Effect.Effect<void, WireError> => {
  const bad = contents.find(
    ({ action, content, encoding }) => encoding === "base64" && !withoutContent.has(action) && !isBase64(content ?? "")
  )
  return bad === undefined ? Effect.void : Effect.fail(badRequest(`The content of ${bad.file_path} is not Base64`))
}

/** The bytes of a content as it was sent. */
export const contentOf = (content: string | null | undefined, encoding: string): Uint8Array =>
  Buffer.from(content ?? "", encoding === "base64" ? "base64" : "utf8")

export const fileAction = (action: ActionInput): FileAction => {
  const path = plainPath(action.file_path)
  const content = contentOf(action.content, action.encoding)
  const mode = defined({ isExecutable: action.execute_filemode ?? undefined })
  switch (action.action) {
    case "update":
      return { _tag: "update", path, content, ...mode }
    case "delete":
      return { _tag: "delete", path }
    case "chmod":
      return { _tag: "chmod", path, isExecutable: action.execute_filemode === true }
    case "move": {
      const previousPath = plainPath(action.previous_path)
      return {
        _tag: "move",
        path,
        previousPath,
        ...mode,
        ...defined({ content: typeof action.content === "string" ? content : undefined })
      }
    }
    default:
      return { _tag: "create", path, content, ...mode }
  }
}

/** Why an action is refused, in the words of the reference. */
export const refusalText = ({ path, reason }: ActionRefused): string => {
  switch (reason) {
    case "missing":
    case "isSubmodule":
      return "A file with this name doesn't exist"
    case "isDirectory":
      return "A directory with this name already exists"
    case "exists":
    case "belowFile":
      return "A file with this name already exists"
    case "badPath":
      return path.split("/").includes("..") ? "Path cannot include directory traversal" : `invalid path: '${path}'`
  }
}

const refuseActions = (refused: ActionRefused): WireError => badRequest(refusalText(refused))

interface ActionsInput {
  readonly caller: Caller
  readonly guarded: OpenRepository
  readonly parameters: AuthorParameters & { readonly commit_message: string }
  readonly request: RequestInfo
}

/** What writes the commit of a request on a parent: by the caller, for the author that is given. */
export const writeActions = ({ caller, guarded, parameters, request }: ActionsInput, actions: ReadonlyArray<FileAction>) => {
  const committer = identityOf(caller, request)
  const author = authorOf(parameters, committer)
  return (parent: string | undefined, seconds: number) =>
    commitFiles(guarded.repository, {
      parent,
      actions,
      author: signed(author, seconds),
      committer: signed(committer, seconds),
      message: parameters.commit_message
    }).pipe(
      Effect.catchTags({
        ActionRefused: (refused) => Effect.fail(refuseActions(refused)),
        TreesRefused: ({ message }) => Effect.fail(badRequest(message)),
        GitFailed: Effect.die
      })
    )
}

/** The last commit that changed a path, as seen from a commit; undefined when nothing ever was there. */
export const lastCommitOf = Effect.fnUntraced(function* (repository: Repository, commit: string, path: string) {
  const [last] = yield* Effect.orDie(logIds(repository, { from: [commit], path, limit: 1 }))
  return last
})

/** Whether the file was changed after the commit that the caller knows as its last one. */
export const hasChanged = Effect.fnUntraced(function* (
  repository: Repository,
  parent: string | undefined,
  known: { readonly path: string; readonly commit: string | null | undefined }
) {
  if (!known.commit || parent === undefined) return false
  const last = yield* lastCommitOf(repository, parent, known.path)
  return last !== undefined && last !== known.commit
})
