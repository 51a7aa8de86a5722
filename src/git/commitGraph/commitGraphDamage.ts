import { rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { unavailable } from "../../platform/logging/unavailable.ts"
import type { Repository } from "../Repository.ts"

/** A commit-graph is not what git wrote. */
export class CommitGraphDamaged extends Error {
  get [unavailable](): string {
    return "an index of the history was damaged, and is left out from now on"
  }
}

/** The file that names the layers of the commit-graph: without it, git does without. */
export const graphChain = ({ path }: Repository): string => join(path, "objects", "info", "commit-graphs", "commit-graph-chain")

/** The version changes whenever the chain does; it is undefined when there is none. */
export const versionOf = (chain: string): Promise<string | undefined> =>
  stat(chain, { bigint: true }).then(
    ({ ino, mtimeNs, size }) => `${ino} ${mtimeNs} ${size}`,
    () => undefined
  )

/** The damage that made reading fail: a number outside of a part too, and a layer that is gone, if the chain is still the same. */
export const asDamage = (error: unknown): CommitGraphDamaged | undefined => {
  if (error instanceof CommitGraphDamaged) return error
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return new CommitGraphDamaged("a layer is missing")
  return error instanceof RangeError ? new CommitGraphDamaged(error.message) : undefined
}

/** Removes a damaged commit-graph, which git would trust; maintenance writes another one. Nothing happens for any other cause. */
export const discardGraph = Effect.fnUntraced(function* (repository: Repository, cause: unknown) {
  if (!(cause instanceof CommitGraphDamaged)) return
  yield* Effect.logWarning(`The commit-graph of ${repository.path} is damaged and is removed: ${cause.message}`)
  yield* Effect.ignore(Effect.tryPromise(() => rm(graphChain(repository), { force: true })))
})
