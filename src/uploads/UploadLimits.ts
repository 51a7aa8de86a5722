import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../config.ts"
import { mebibyte } from "../kernel/units.ts"
import { ByteBudget } from "../platform/work/ByteBudget.ts"

/** So many files of the largest size may be on their way at once, of one user so many. */
const [uploadsAtOnce, uploadsOfOne] = [8, 2]

/** What files that are uploaded may take. */
export class UploadLimits extends Context.Service<
  UploadLimits,
  {
    /** Of one file. */
    readonly maxBytes: number
    /** The bytes of requests that are on their way, which are on the disk. */
    readonly arriving: ByteBudget
    /** A client that sends nothing for so many milliseconds is let go. */
    readonly idleMillis: number
  }
>()("chronoforge/uploads/UploadLimits") {
  static readonly layer: Layer.Layer<UploadLimits, never, AppConfig> = Layer.effect(
    UploadLimits,
    Effect.map(AppConfig, ({ clientIdleTimeout, maxAttachmentSize }) => {
      const maxBytes = maxAttachmentSize * mebibyte
      // Beside the file there are boundaries and names.
      const each = maxBytes + mebibyte
      return {
        maxBytes,
        arriving: new ByteBudget({ total: uploadsAtOnce * each, share: uploadsOfOne * each }),
        idleMillis: clientIdleTimeout * 1000
      }
    })
  )
}
