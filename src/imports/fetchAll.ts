import { Data, Effect, Schedule } from "effect"
import type { Repository } from "../git/Repository.ts"
import { percentOf } from "./fetchProgress.ts"
import { argumentsFor, type Remote, remoteGit } from "./remoteGit.ts"
import { sizeOf } from "./staging.ts"

/** The repository takes more bytes than an import may. */
export class RepositoryTooLarge extends Data.TaggedError("RepositoryTooLarge")<{ readonly limit: number }> {}

/** Mistakes of old programs in the commits of many a history, which are no danger. */
const forgiven = ["badTimezone", "missingSpaceBeforeDate", "zeroPaddedFilemode"].map(
  (name) => [`fetch.fsck.${name}`, "ignore"] as const
)
const config = [["fetch.fsckObjects", "true"], ["core.fsync", "committed,loose-object"], ...forgiven] as const

export interface FetchOptions {
  /** For the objects, in bytes. */
  readonly limit: number
  readonly globalConfig?: string
  /** Called with percent, each higher than the one before. */
  readonly onPercent: (percent: number) => void
}

/**
 * Fetches all branches and tags of a remote into a repository that is not there yet, and what its HEAD names. A clone, as only that
 * writes all refs at once: a fetch makes a file of each, which takes minutes where they are many.
 */
export const fetchAll = (remote: Remote, repository: Repository, { globalConfig, limit, onPercent }: FetchOptions) => {
  let highest = 0
  const onLine = (line: string) => {
    const percent = percentOf(line)
    if (percent === undefined || percent <= highest) return
    highest = percent
    onPercent(percent)
  }
  const fetch = remoteGit(
    remote,
    ["clone", "--bare", "--no-local", "--template=", "--reject-shallow", "--progress", ...argumentsFor(remote), repository.path],
    { config, onLine, ...(globalConfig === undefined ? {} : { globalConfig }) }
  )
  const tooLarge = Effect.repeat(sizeOf(repository), {
    until: (bytes) => bytes > limit,
    schedule: Schedule.spaced("500 millis")
  }).pipe(Effect.andThen(Effect.fail(new RepositoryTooLarge({ limit }))))
  const within = Effect.flatMap(sizeOf(repository), (bytes) =>
    bytes > limit ? Effect.fail(new RepositoryTooLarge({ limit })) : Effect.void
  )
  return Effect.andThen(Number.isFinite(limit) ? Effect.raceFirst(fetch, tooLarge) : fetch, within)
}
