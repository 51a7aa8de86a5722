import { Effect } from "effect"
import { requireFullIds } from "../objects/fullIds.ts"
import { run } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"

/** Allows fetches from one folder of the service to another. What is sent as differences of a few bytes is not written as whole files. */
const settings = ["-c", "protocol.file.allow=always", "-c", "fetch.unpackLimit=1"]
const options = ["--quiet", "--no-tags", "--no-write-fetch-head"]

/** Brings a commit of another repository, by its full id, with all that it needs. No ref is made. */
export const copyCommit = (repository: Repository, from: Repository, commit: string): Effect.Effect<void, GitFailed> =>
  Effect.andThen(
    requireFullIds([commit]),
    Effect.asVoid(run(repository, [...settings, "fetch", ...options, from.path, commit], { timeLimit: 600_000 }))
  )
