import { Clock, Context, Effect, Layer } from "effect"
import { AppConfig } from "../config.ts"
import type { Caller } from "../http/access/Caller.ts"
import { WireError } from "../http/answer/errors.ts"
import { FixedWindow, secondsLeft } from "../kernel/FixedWindow.ts"

/** Limits costly requests in windows of one minute, per process. */
export class DownloadLimits extends Context.Service<
  DownloadLimits,
  {
    /** Counts an archive of a project; fails with 429 when it is one too many. */
    readonly archive: (caller: Caller | undefined, projectId: number) => Effect.Effect<void, WireError>
    /** Counts a changelog of a project; fails with 429 when it is one too many. */
    readonly changelog: (caller: Caller, projectId: number) => Effect.Effect<void, WireError>
    /** Counts a large blob of a project that is read as JSON; fails with 429 when it is one too many. */
    readonly largeBlob: (projectId: number) => Effect.Effect<void, WireError>
  }
>()("chronoforge/repositories/DownloadLimits") {
  /** Both per minute, user and project; 0: no limit. */
  static readonly layerWith = (archives: number, changelogs: number): Layer.Layer<DownloadLimits> =>
    Layer.sync(DownloadLimits, () => make(archives, changelogs))
  static readonly layer: Layer.Layer<DownloadLimits, never, AppConfig> = Layer.unwrap(
    Effect.map(AppConfig, ({ archiveRateLimit, changelogRateLimit }) =>
      DownloadLimits.layerWith(archiveRateLimit, changelogRateLimit)
    )
  )
}

/** A blob of more bytes is large. */
export const largeBlobBytes = 10 * 1024 * 1024
const largeBlobsPerMinute = 5
/** All callers without a token together may do this many times what one user may: the reference has 100 and 5. */
const anonymousFactor = 20

const refusal = (message: unknown, now: number): WireError =>
  new WireError({
    status: 429,
    body: { message },
    headers: { "retry-after": String(secondsLeft(now)) }
  })

const tooManyArchives = { error: "This archive has been requested too many times. Try again later." }
const tooManyChangelogs = { error: "This changelog has been requested too many times. Try again later." }
const tooManyBlobs = {
  error: `The requested blob is over the threshold size of ${largeBlobBytes}.\nAccess this blob using '/projects/:id/repository/blobs/:sha/raw' to avoid this error.\n`
}

const make = (archives: number, changelogs: number): DownloadLimits["Service"] => {
  const window = new FixedWindow()
  const count = (key: string, limit: number, message: unknown) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      window.count(key, now) > limit ? Effect.fail(refusal(message, now)) : Effect.void
    )
  return {
    archive: (caller, projectId) => {
      if (archives === 0) return Effect.void
      const limit = caller === undefined ? archives * anonymousFactor : archives
      return count(`archive ${caller?.user.id ?? ""} ${projectId}`, limit, tooManyArchives)
    },
    changelog: ({ user }, projectId) =>
      changelogs === 0 ? Effect.void : count(`changelog ${user.id} ${projectId}`, changelogs, tooManyChangelogs),
    largeBlob: (projectId) => count(`blob ${projectId}`, largeBlobsPerMinute, tooManyBlobs)
  }
}
