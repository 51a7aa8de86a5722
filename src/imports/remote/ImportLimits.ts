import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../../config.ts"
import { spareBytes } from "../../git/process/diskSpace.ts"
import { lookUp, resolveInTurns } from "./resolve.ts"

/** What imports may take, and where from. */
export class ImportLimits extends Context.Service<
  ImportLimits,
  {
    /** Whether requests may let something be imported. */
    readonly isEnabled: boolean
    /** Whether servers on addresses that are not public may be asked. */
    readonly allowPrivate: boolean
    /** The highest number of seconds of one import. */
    readonly seconds: number
    /** The highest number of bytes of a repository; infinite where there is no limit. */
    readonly bytes: number
    /** The number of bytes that the disk of a folder may still take. */
    readonly spare: (folder: string) => Effect.Effect<number>
    /** The addresses of a host name; none when it has none. */
    readonly resolve: (host: string) => Effect.Effect<ReadonlyArray<string>>
  }
>()("chronoforge/imports/ImportLimits") {
  static readonly layer: Layer.Layer<ImportLimits, never, AppConfig> = Layer.effect(
    ImportLimits,
    Effect.map(AppConfig, ({ importAllowPrivate, importEnabled, importSizeLimit, importTimeLimit }) => ({
      isEnabled: importEnabled,
      allowPrivate: importAllowPrivate,
      seconds: importTimeLimit,
      bytes: importSizeLimit === 0 ? Number.POSITIVE_INFINITY : importSizeLimit * 1024 * 1024,
      spare: (folder) => Effect.promise(() => spareBytes(folder)),
      resolve: resolveInTurns(lookUp)
    }))
  )
}
