import { createServer } from "node:http"
import { expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { describe } from "vitest"
import { AppConfig } from "#src/config.ts"
import {
  annotateAnswer,
  currentTraceparent,
  spanFromTraceparent,
  tracing,
  withRequestSpan,
  withSpanInEach
} from "#src/platform/logging/tracing.ts"
import { listening } from "#test/support/processes/listening.ts"

/** A collector that keeps what it receives. */
const collector = Effect.acquireRelease(
  Effect.promise(async () => {
    const bodies: Array<{ readonly url: string | undefined; readonly text: string }> = []
    const server = createServer(async (request, response) => {
      const chunks: Array<Buffer> = await request.toArray()
      bodies.push({ url: request.url, text: Buffer.concat(chunks).toString() })
      response.end("{}")
    })
    return { bodies, server, url: `http://127.0.0.1:${await listening(server)}/` }
  }),
  ({ server }) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
)

const traced =
  (env: Record<string, string>) =>
  <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.provide(
      effect,
      tracing("1.2.3").pipe(
        Layer.provide(AppConfig.layer),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))),
        Layer.orDie
      )
    )

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly status: { readonly code: number }
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Readonly<Record<string, unknown>> }>
}

const spansOf = (text: string): ReadonlyArray<Span> => JSON.parse(text).resourceSpans[0].scopeSpans[0].spans
const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
const request = {
  id: "01J",
  method: "POST",
  route: "clusters.add",
  path: "/api/v4/admin/clusters/add",
  headers: { traceparent }
}

/** What a request does: it appends, and the event carries the context to the projection. */
const requestThenProjection = Effect.gen(function* () {
  const metadata = yield* Effect.withSpan(currentTraceparent, "EventStore.append").pipe(
    Effect.tap(annotateAnswer(201)),
    withRequestSpan(request)
  )
  yield* Effect.void.pipe(withSpanInEach("project users", [metadata, undefined, metadata, "nonsense"]))
  return metadata
})

describe("with a collector", () => {
  it.live("one trace goes from the caller over request and append to the projection", () =>
    Effect.gen(function* () {
      const { bodies, url } = yield* collector
      const metadata = yield* requestThenProjection.pipe(traced({ OTEL_EXPORTER_OTLP_ENDPOINT: url }))
      expect(bodies.map(({ url }) => url)).toEqual(["/v1/traces"])
      const spans = spansOf(bodies[0]?.text ?? "")
      const byName = Object.fromEntries(spans.map((span) => [span.name, span]))
      const server = byName["POST clusters.add"]
      const append = byName["EventStore.append"]
      expect(spans.map((span) => [span.name, span.traceId, span.parentSpanId, span.kind])).toEqual([
        ["EventStore.append", traceId, server?.spanId, 1],
        ["POST clusters.add", traceId, "00f067aa0ba902b7", 2],
        ["project users", traceId, append?.spanId, 5]
      ])
      expect(metadata).toBe(`00-${traceId}-${append?.spanId}-01`)
      expect(server && attributesOf(server)).toEqual({
        "http.request.method": "POST",
        "http.route": "clusters.add",
        "url.path": "/api/v4/admin/clusters/add",
        "chronoforge.request_id": "01J",
        "http.response.status_code": 201
      })
      expect(bodies[0]?.text).toContain('{"key":"service.name","value":{"stringValue":"chronoforge"}}')
    })
  )

  it.live("no secret leaves in the message of an error", () =>
    Effect.gen(function* () {
      const { bodies, url } = yield* collector
      const failing = Effect.die(new Error("GET /x?private_token=s3cret failed")).pipe(withRequestSpan(request))
      yield* Effect.exit(failing).pipe(traced({ OTEL_EXPORTER_OTLP_ENDPOINT: url }))
      expect(bodies[0]?.text).toContain("private_token=[REDACTED] failed")
      expect(bodies[0]?.text).not.toContain("s3cret")
      expect(spansOf(bodies[0]?.text ?? "")).toHaveLength(1)
    })
  )

  it.live("a fault of the service fails the span", () =>
    Effect.gen(function* () {
      const { bodies, url } = yield* collector
      const answers = Effect.forEach([404, 503], (status) => annotateAnswer(status).pipe(withRequestSpan(request)))
      yield* answers.pipe(traced({ OTEL_EXPORTER_OTLP_ENDPOINT: url }))
      const [ok, error] = [1, 2]
      expect(spansOf(bodies[0]?.text ?? "").map(({ status }) => status.code)).toEqual([ok, error])
    })
  )

  it.live("the query of a request is not traced by the server itself", () =>
    Effect.gen(function* () {
      const { bodies, url } = yield* collector
      const routes = HttpRouter.add(
        "GET",
        "/x",
        Effect.as(currentTraceparent.pipe(withRequestSpan(request)), HttpServerResponse.empty())
      )
      yield* Effect.gen(function* () {
        const context = yield* Effect.context<never>()
        const { handler, dispose } = HttpRouter.toWebHandler(Layer.provide(routes, HttpServer.layerServices), {
          disableLogger: true
        })
        const answer = yield* Effect.promise(() => handler(new Request("http://x/x?name=s3cret"), context))
        yield* Effect.promise(dispose)
        expect(answer.status).toBe(204)
      }).pipe(traced({ OTEL_EXPORTER_OTLP_ENDPOINT: url }))
      expect(spansOf(bodies[0]?.text ?? "").map(({ name }) => name)).toEqual(["POST clusters.add"])
      expect(bodies[0]?.text).not.toContain("s3cret")
    })
  )

  it.live("a caller that is not sampled is not traced, but its context goes on", () =>
    Effect.gen(function* () {
      const { bodies, url } = yield* collector
      const unsampled = { ...request, headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-00` } }
      const inside = yield* currentTraceparent.pipe(withRequestSpan(unsampled), traced({ OTEL_EXPORTER_OTLP_ENDPOINT: url }))
      expect(inside).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`))
      expect(bodies).toEqual([])
    })
  )

  it.live("a collector that is away stops nothing", () =>
    Effect.gen(function* () {
      const inside = yield* requestThenProjection.pipe(traced({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" }))
      expect(inside).toContain(traceId)
    })
  )
})

describe("without a collector", () => {
  it.effect("nothing is traced and events carry no context", () =>
    Effect.gen(function* () {
      expect(yield* requestThenProjection.pipe(traced({}))).toBeUndefined()
    })
  )
})

it.each([
  [traceparent, { traceId, spanId: "00f067aa0ba902b7", sampled: true }],
  [`00-${traceId}-00f067aa0ba902b7-00`, { traceId, spanId: "00f067aa0ba902b7", sampled: false }]
])("%s is a span", (text, expected) => {
  expect(spanFromTraceparent(text)).toMatchObject(expected)
})

it.each(["", "00", `01-${traceId}-00f067aa0ba902b7-01`, `00-${"0".repeat(32)}-00f067aa0ba902b7-01`, "x".repeat(55)])(
  "%s is none",
  (text) => {
    expect(spanFromTraceparent(text)).toBeUndefined()
  }
)
