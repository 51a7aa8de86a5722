import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../../config.ts"
import { mebibyte } from "../../kernel/units.ts"
import { ByteBudget } from "../../platform/work/ByteBudget.ts"
import { spareBytes } from "./diskSpace.ts"

/** Where content lies that comes or goes at the pace of a client, and how much of it there may be. */
export interface Spools {
  readonly folder: string
  /** The number of bytes that the disk of the folder may still take. */
  readonly spare: () => Promise<number>
  /** The bytes on the disk of answers that clients have not read yet. */
  readonly answers: ByteBudget
  /** The bytes in memory of bodies of requests that are not whole yet. */
  readonly bodyMemory: ByteBudget
  /** The bytes of such bodies on the disk. */
  readonly bodyFiles: ByteBudget
}

export const makeSpools = (options: Pick<Spools, "folder" | "spare">): Spools => ({
  ...options,
  answers: new ByteBudget({ total: 2048 * mebibyte, share: 512 * mebibyte }),
  bodyMemory: new ByteBudget({ total: 32 * mebibyte, share: 8 * mebibyte }),
  bodyFiles: new ByteBudget({ total: 1024 * mebibyte, share: 256 * mebibyte })
})

/** All work of this process shares them. */
export const Spools = Context.Reference<Spools>("chronoforge/git/Spools", {
  defaultValue: () => makeSpools({ folder: join(tmpdir(), "chronoforge"), spare: () => spareBytes(tmpdir()) })
})

/** Spools that lie in `DATA_DIR/tmp`. */
export const layerSpools: Layer.Layer<never, never, AppConfig> = Layer.unwrap(
  Effect.map(AppConfig, ({ dataDir }) =>
    Layer.succeed(Spools, makeSpools({ folder: join(dataDir, "tmp"), spare: () => spareBytes(dataDir) }))
  )
)
