import { Effect, identity, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiScalar, OpenApi } from "effect/http-api"
import type { OpenApiDocument } from "./openapi.ts"

/** Nothing of it is fetched from elsewhere, and nothing is sent elsewhere. */
const appearance = {
  theme: "default",
  withDefaultFonts: false,
  hideModels: true,
  hideClientButton: true,
  showDeveloperTools: "never",
  showOperationId: true,
  telemetry: false,
  authentication: { preferredSecurityScheme: "privateToken" }
} as const

/** The page's script and styles are inline; requests may only go to this service. */
const contentSecurityPolicy = (externalUrl: string): string =>
  [
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src data:",
    `connect-src 'self' ${new URL(externalUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

/**
 * The API reference of `document`: one HTML page of 3 MB that holds the renderer (Scalar, as bundled with Effect) and the
 * document, so it works without a network. It is made at the first request.
 */
export const makeDocs = (
  document: Effect.Effect<OpenApiDocument>,
  options: { readonly path: `/${string}`; readonly externalUrl: string }
) =>
  Effect.gen(function* () {
    const render = yield* Effect.cached(
      Effect.gen(function* () {
        const made = yield* document
        const api = HttpApi.make("chronoforge").annotate(OpenApi.Transform, () => ({ ...made }))
        const page = HttpApiScalar.layer(api, { path: options.path, scalar: appearance })
        const router = yield* HttpRouter.make
        yield* Layer.build(page).pipe(Effect.provideService(HttpRouter.HttpRouter, router))
        return router.asHttpEffect()
      })
    )
    const headers = {
      "content-security-policy": contentSecurityPolicy(options.externalUrl),
      "cache-control": "private, max-age=300"
    }
    return Effect.flatMap(Effect.uninterruptible(render), identity).pipe(
      Effect.orDie,
      Effect.map(HttpServerResponse.setHeaders(headers))
    )
  })
