import { rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { unavailable } from "../platform/unavailable.ts"
import type { Repository } from "./Repository.ts"

/** A commit-graph is not what git wrote. */
export class CommitGraphDamaged extends Error {
  get [unavailable](): string {
    return "an index of the history was damaged, and is left out from now on"
  }
}

/** The file that names the layers of the commit-graph: without it, git does without. */
export const graphChain = ({ path }: Repository): string => join(path, "objects", "info", "commit-graphs", "commit-graph-chain")

/** The damage, if that is what git says that it ended of. */
export const damageIn = (stderr: string): CommitGraphDamaged | undefined => {
  const [told] = /^fatal: (?:invalid parent position|.*commit-graph).*$/m.exec(stderr) ?? []
  return told === undefined ? undefined : new CommitGraphDamaged(told)
}

/** Takes away a damaged commit-graph, which git would believe; maintenance writes another one. Of any other cause nothing happens. */
export const discardGraph = Effect.fnUntraced(function* (repository: Repository, cause: unknown) {
  if (!(cause instanceof CommitGraphDamaged)) return
  yield* Effect.logWarning(`The commit-graph of ${repository.path} is damaged, and taken away: ${cause.message}`)
  yield* Effect.ignore(Effect.tryPromise(() => rm(graphChain(repository), { force: true })))
})
