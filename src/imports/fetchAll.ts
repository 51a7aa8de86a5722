import { Data, Effect, Schedule } from "effect"
import type { Repository } from "../git/Repository.ts"
import { percentOf } from "./fetchProgress.ts"
import { addressOf, type Remote, remoteGit } from "./remoteGit.ts"
import { sizeOf } from "./staging.ts"

/** The repository takes more bytes than an import may. */
export class RepositoryTooLarge extends Data.TaggedError("RepositoryTooLarge")<{ readonly limit: number }> {}

const wanted = ["heads", "tags"].map((kind) => `+refs/${kind}/*:refs/${kind}/*`)

/** Mistakes of old programs in the commits of many a history, which are no danger. */
const forgiven = ["badTimezone", "missingSpaceBeforeDate", "zeroPaddedFilemode"].map(
  (name) => [`fetch.fsck.${name}`, "ignore"] as const
)
const config = [["fetch.unpackLimit", "1"], ["fetch.fsckObjects", "true"], ...forgiven] as const

export interface FetchOptions {
  /** For the objects, in bytes. */
  readonly limit: number
  readonly globalConfig?: string
  /** Called with percent, each higher than the one before. */
  readonly onPercent: (percent: number) => void
}

/** Fetches all branches and tags of a remote into an empty repository. */
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
    [
      `--git-dir=${repository.path}`,
      "fetch",
      "--progress",
      "--no-tags",
      "--no-write-fetch-head",
      "--no-recurse-submodules",
      "--end-of-options",
      addressOf(remote),
      ...wanted
    ],
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
