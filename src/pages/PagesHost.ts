import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../config.ts"
import { mebibyte } from "../kernel/units.ts"
import { ByteBudget } from "../platform/work/ByteBudget.ts"

/** What a site may take. */
export interface SiteLimits {
  /** The bytes of its archive, and of all its files together. */
  readonly maxBytes: number
  /** Its files and folders, each counted once. */
  readonly maxFiles: number
}

/** So many archives of the largest size may be on their way at once, of one user so many. */
const [uploadsAtOnce, uploadsOfOne] = [8, 2]

/** How the installation shows sites. */
export class PagesHost extends Context.Service<
  PagesHost,
  {
    /** Whether it does. */
    readonly isEnabled: boolean
    /** The host, with or without port, whose subdomains are sites; undefined where they lie below a path of the service. */
    readonly domain: string | undefined
    readonly limits: SiteLimits
    /** The bytes on the disk of archives that are on their way. */
    readonly uploads: ByteBudget
    /** A client that sends or takes nothing for so many milliseconds is let go. */
    readonly idleMillis: number
  }
>()("chronoforge/pages/PagesHost") {
  static readonly layer: Layer.Layer<PagesHost, never, AppConfig> = Layer.effect(
    PagesHost,
    Effect.map(AppConfig, ({ clientIdleTimeout, pagesDomain, pagesEnabled, pagesMaxFiles, pagesMaxSize }) => ({
      isEnabled: pagesEnabled,
      domain: pagesDomain,
      limits: { maxBytes: pagesMaxSize * mebibyte, maxFiles: pagesMaxFiles },
      uploads: new ByteBudget({ total: uploadsAtOnce * pagesMaxSize * mebibyte, share: uploadsOfOne * pagesMaxSize * mebibyte }),
      idleMillis: clientIdleTimeout * 1000
    }))
  )
}
