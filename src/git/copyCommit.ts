import { Effect } from "effect"
import { requireFullIds } from "./fullIds.ts"
import type { GitFailed, Repository } from "./Repository.ts"
import { run } from "./run.ts"

/** Only from one folder of this service to another. */
const local = ["-c", "protocol.file.allow=always"]
const options = ["--quiet", "--no-tags", "--no-write-fetch-head"]

/** Brings a commit of another repository, by its full id, with all that it needs. No ref is made. */
export const copyCommit = (repository: Repository, from: Repository, commit: string): Effect.Effect<void, GitFailed> =>
  Effect.andThen(
    requireFullIds([commit]),
    Effect.asVoid(run(repository, [...local, "fetch", ...options, from.path, commit], { timeLimit: 600_000 }))
  )
