import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import type { CommitGraphs } from "../history/CommitGraphs.ts"
import { run } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import type { PushLocks } from "../refs/pushLocks.ts"
import { lastFullRepack, type MaintenanceTask } from "./needs.ts"

/** A full repack sorts out what nothing names any more; in between, packs are only merged. */
const daysBetweenFullRepacks = 7
/** Objects that nothing names are kept for two weeks, because a push that is coming in may count on them. */
const expiry = "2.weeks.ago"
/** Beside requests, not before them. */
const modest = ["-c", "pack.threads=1", "-c", "pack.windowMemory=256m"]

const geometric = ["repack", "-d", "--geometric=2", "--write-midx", "--write-bitmap-index", "--quiet"]
const full = ["repack", "--cruft", `--cruft-expiration=${expiry}`, "-d", "--write-bitmap-index", "--quiet"]
const graphOptions = ["--reachable", "--changed-paths", "--split", "--size-multiple=4", "--no-progress"]

/** What is done for each of the needs of a repository. Every step leaves it whole when it is killed. `timeLimit`: milliseconds of one. */
export const maintenanceTasks = (
  { graphs, locks }: { readonly graphs: CommitGraphs["Service"]; readonly locks: PushLocks["Service"] },
  limits: { readonly timeLimit: number }
): Readonly<Record<MaintenanceTask, (repository: Repository) => Effect.Effect<unknown, GitFailed>>> => {
  const repack = Effect.fnUntraced(function* (repository: Repository) {
    const now = Math.floor(Date.now() / 1000)
    const isFull = now - (yield* lastFullRepack(repository)) > daysBetweenFullRepacks * 86_400
    yield* run(repository, [...modest, ...(isFull ? full : geometric)], limits)
    if (!isFull) return
    yield* run(repository, ["prune", `--expire=${expiry}`], limits)
    yield* Effect.promise(() => writeFile(join(repository.path, "last-full-repack"), String(now)))
  })
  return {
    // It locks refs, for which a push would not wait.
    packRefs: (repository) => locks.withPushLock(repository, run(repository, ["pack-refs", "--all", "--prune"], limits)),
    repack,
    // Git adds to a damaged one without a word: whoever asks for it has it taken away.
    commitGraph: (repository) =>
      Effect.andThen(graphs.of(repository), run(repository, ["commit-graph", "write", ...graphOptions], limits))
  }
}
