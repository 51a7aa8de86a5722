import { Data, Effect, Schedule } from "effect"
import type { Repository } from "../../git/Repository.ts"
import { defined } from "../../kernel/defined.ts"
import { argumentsFor, type Remote, remoteGit } from "../remote/git.ts"
import { sizeOf } from "./staging.ts"

/** The repository takes more bytes than an import may. */
export class RepositoryTooLarge extends Data.TaggedError("RepositoryTooLarge")<{ readonly limit: number }> {}

/** The disk would have too little space left. */
export class DiskFull extends Data.TaggedError("DiskFull") {}

/** The mistakes of old programs that many histories contain and that are harmless. */
const toleratedFaults = ["badTimezone", "missingSpaceBeforeDate", "zeroPaddedFilemode"].map(
  (name) => [`fetch.fsck.${name}`, "ignore"] as const
)
const config = [["fetch.fsckObjects", "true"], ["core.fsync", "committed,loose-object"], ...toleratedFaults] as const

export interface FetchOptions {
  /** The highest number of bytes of the objects; infinite for no limit. */
  readonly limit: number
  /** The number of bytes that the disk may still take. */
  readonly spare: Effect.Effect<number>
  readonly globalConfig?: string
  /** Called with a percentage that is higher than the one before. */
  readonly onPercent: (percent: number) => void
}

const withinLimits = Effect.fnUntraced(function* (repository: Repository, { limit, spare }: FetchOptions) {
  if ((yield* spare) < 0) return yield* new DiskFull()
  if (Number.isFinite(limit) && (yield* sizeOf(repository)) > limit) return yield* new RepositoryTooLarge({ limit })
})

const stages: Readonly<Record<string, { readonly start: number; readonly share: number }>> = {
  "Receiving objects": { start: 0, share: 80 },
  "Resolving deltas": { start: 80, share: 19 }
}

/** How far a fetch has come, in percent, by a line of `git fetch --progress`; undefined for a line that tells nothing of it. */
export const percentOf = (line: string): number | undefined => {
  const [, name = "", percent] = /^(Receiving objects|Resolving deltas): +(\d{1,3})% \(/.exec(line) ?? []
  const stage = stages[name]
  return stage === undefined ? undefined : Math.floor(stage.start + (Math.min(100, Number(percent)) / 100) * stage.share)
}

/**
 * Fetches all branches and tags of a remote into a repository that is not there yet, and what its HEAD names. A clone, as only that
 * writes all refs at once: a fetch makes a file of each, which takes minutes where they are many.
 */
export const fetchAll = (remote: Remote, repository: Repository, options: FetchOptions) => {
  const { globalConfig, onPercent } = options
  let maxPercent = 0
  const onLine = (line: string) => {
    const percent = percentOf(line)
    if (percent === undefined || percent <= maxPercent) return
    maxPercent = percent
    onPercent(percent)
  }
  const fetch = remoteGit(
    remote,
    ["clone", "--bare", "--no-local", "--template=", "--reject-shallow", "--progress", ...argumentsFor(remote), repository.path],
    defined({ config, onLine, globalConfig })
  )
  const check = withinLimits(repository, options)
  const watch = Effect.andThen(Effect.repeat(check, Schedule.spaced("500 millis")), Effect.never)
  return Effect.andThen(Effect.raceFirst(fetch, watch), check)
}
