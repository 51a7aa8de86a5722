import { Effect } from "effect"
import type { Objects } from "../../git/objects/Objects.ts"
import { listRecursively } from "../../git/objects/tree.ts"
import { runText } from "../../git/process/run.ts"
import type { Repository } from "../../git/Repository.ts"
import { fileAt } from "../../repositories/Code.ts"
import type { Files } from "../config/context.ts"

/** Configurations of more bytes are not read: those that are refused for their size are far smaller. */
const maxBytes = 8 * 1024 * 1024

/** The text of a file of a commit; undefined where there is none, or it is a link or larger than any configuration. */
export const textAt = Effect.fnUntraced(function* (repository: Repository, commit: string, path: string) {
  const bound = { limit: maxBytes, orTooLarge: () => undefined }
  const file = yield* Effect.orElseSucceed(fileAt(repository, { commit, path }, bound), () => undefined)
  return file === undefined || file.isLink ? undefined : file.content.toString("utf8")
})

/** The paths that differ between two commits; undefined where git cannot tell. */
const changedPaths = (repository: Repository, before: string, commit: string) =>
  runText(repository, ["diff-tree", "-r", "-z", "--name-only", "--no-renames", before, commit]).pipe(
    Effect.map((text): ReadonlyArray<string> | undefined => text.split("\0").filter(Boolean)),
    Effect.orElseSucceed(() => undefined)
  )

/** What a configuration may ask of the commit that a pipeline is for. `before` is the commit that the ref had before a push. */
export const filesOf = Effect.fnUntraced(function* (repository: Repository, commit: string, before: string | undefined) {
  const services = yield* Effect.context<Objects>()
  const paths = listRecursively(repository, commit, "").pipe(
    Effect.map((entries = []) => entries.flatMap(({ path, type }) => (type === "blob" ? [path] : []))),
    Effect.orElseSucceed((): ReadonlyArray<string> => [])
  )
  const files: Files = {
    read: (path) => Effect.provide(textAt(repository, commit, path), services),
    changedPaths: before === undefined ? Effect.undefined : changedPaths(repository, before, commit),
    paths: Effect.provide(paths, services)
  }
  return files
})
