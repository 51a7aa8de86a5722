import { Effect } from "effect"
import { requireFullIds } from "../../git/objects/fullIds.ts"
import type { Objects } from "../../git/objects/Objects.ts"
import { listRecursively } from "../../git/objects/tree.ts"
import { runText } from "../../git/process/run.ts"
import type { Repository } from "../../git/Repository.ts"
import type { Files } from "../config/context.ts"
import { Configurations } from "./Configurations.ts"

/** The paths that differ between two commits; undefined where git cannot tell. */
const changedPaths = (repository: Repository, before: string, commit: string) =>
  Effect.andThen(
    requireFullIds([before, commit]),
    runText(repository, ["diff-tree", "-r", "-z", "--name-only", "--no-renames", before, commit])
  ).pipe(
    Effect.map((text): ReadonlyArray<string> | undefined => text.split("\0").filter(Boolean)),
    Effect.orElseSucceed(() => undefined)
  )

/** What a configuration may ask of the commit that a pipeline is for. `before` is the commit that the ref had before a push. */
export const filesOf = Effect.fnUntraced(function* (repository: Repository, commit: string, before: string | undefined) {
  const services = yield* Effect.context<Objects>()
  const { text } = yield* Configurations
  const paths = listRecursively(repository, commit, "").pipe(
    Effect.map((entries = []) => entries.flatMap(({ path, type }) => (type === "blob" ? [path] : []))),
    Effect.orElseSucceed((): ReadonlyArray<string> => [])
  )
  const files: Files = {
    read: (path) => text(repository, commit, path),
    changedPaths: before === undefined ? Effect.undefined : changedPaths(repository, before, commit),
    paths: Effect.provide(paths, services)
  }
  return files
})
