import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
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

/** The headers of the page, beside those of every page. */
export const docsHeaders = (externalUrl: string) => ({
  "content-security-policy": contentSecurityPolicy(externalUrl),
  "cache-control": "private, max-age=300"
})

const path = "/docs"

/**
 * The API reference of `document`: one HTML page of 4 MB that holds the renderer (Scalar, as bundled with Effect) and the
 * document, so it works without a network.
 */
export const docsHtml = (document: OpenApiDocument): Effect.Effect<string> =>
  Effect.gen(function* () {
    const api = HttpApi.make("chronoforge").annotate(OpenApi.Transform, () => ({ ...document }))
    const page = HttpApiScalar.layer(api, { path, scalar: appearance })
    const router = yield* HttpRouter.make
    yield* Layer.build(page).pipe(Effect.provideService(HttpRouter.HttpRouter, router))
    const request = HttpServerRequest.fromWeb(new Request(`http://localhost${path}`))
    const response = yield* Effect.provideService(router.asHttpEffect(), HttpServerRequest.HttpServerRequest, request)
    return yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
  }).pipe(Effect.scoped, Effect.orDie)
