import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import type { CommitGraphs } from "../history/CommitGraphs.ts"
import { run } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import type { PushLocks } from "../refs/pushLocks.ts"
import { lastFullRepack, type MaintenanceTask } from "./needs.ts"

/** The number of days between full repacks, which drop unreachable objects; in between, packs are only merged. */
const daysBetweenFullRepacks = 7
/** Unreachable objects are kept for two weeks, because a push in progress may use them. */
const pruneExpiry = "2.weeks.ago"
/** The settings that leave processors and memory to requests. */
const lowImpactConfig = ["-c", "pack.threads=1", "-c", "pack.windowMemory=256m"]

const geometric = ["repack", "-d", "--geometric=2", "--write-midx", "--write-bitmap-index", "--quiet"]
const full = ["repack", "--cruft", `--cruft-expiration=${pruneExpiry}`, "-d", "--write-bitmap-index", "--quiet"]
const graphOptions = ["--reachable", "--changed-paths", "--split", "--size-multiple=4", "--no-progress"]

/**
 * The maintenance step for each need of a repository. A killed step leaves the repository intact. `timeLimit` is in milliseconds for
 * one step.
 */
export const maintenanceTasks = (
  { graphs, locks }: { readonly graphs: CommitGraphs["Service"]; readonly locks: PushLocks["Service"] },
  limits: { readonly timeLimit: number }
): Readonly<Record<MaintenanceTask, (repository: Repository) => Effect.Effect<unknown, GitFailed>>> => {
  const repack = Effect.fnUntraced(function* (repository: Repository) {
    const now = Math.floor(Date.now() / 1000)
    const isFull = now - (yield* lastFullRepack(repository)) > daysBetweenFullRepacks * 86_400
    yield* run(repository, [...lowImpactConfig, ...(isFull ? full : geometric)], limits)
    if (!isFull) return
    yield* run(repository, ["prune", `--expire=${pruneExpiry}`], limits)
    yield* Effect.promise(() => writeFile(join(repository.path, "last-full-repack"), String(now)))
  })
  return {
    // The step locks refs, and a push would not wait for them.
    packRefs: (repository) => locks.withPushLock(repository, run(repository, ["pack-refs", "--all", "--prune"], limits)),
    repack,
    // Git would silently extend a damaged graph; reading it first discards it.
    commitGraph: (repository) =>
      Effect.andThen(graphs.of(repository), run(repository, ["commit-graph", "write", ...graphOptions], limits))
  }
}
