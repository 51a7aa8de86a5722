import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../config.ts"
import { mebibyte } from "../kernel/units.ts"

/** What a site may take. */
export interface SiteLimits {
  /** The bytes of its archive, and of all its files together. */
  readonly maxBytes: number
  readonly maxFiles: number
}

/** How the installation shows sites. */
export class PagesHost extends Context.Service<
  PagesHost,
  {
    /** Whether it does. */
    readonly isEnabled: boolean
    /** The host, with or without port, whose subdomains are sites; undefined where they lie below a path of the service. */
    readonly domain: string | undefined
    readonly limits: SiteLimits
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
      idleMillis: clientIdleTimeout * 1000
    }))
  )
}
