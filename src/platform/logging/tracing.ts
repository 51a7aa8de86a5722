import { Clock, Effect, Exit, Layer, Option, References, Tracer } from "effect"
import { FetchHttpClient, Headers, HttpBody, HttpMiddleware, HttpTraceContext } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import { AppConfig } from "../../config.ts"
import { redactText } from "./redaction.ts"

/** OTLP as JSON. The message of an error may hold anything, so what looks like a secret is removed from the whole text. */
const redactedJson = (data: unknown) => HttpBody.text(redactText(JSON.stringify(data)), "application/json")

const serialization = Layer.succeed(OtlpSerialization.OtlpSerialization)({
  traces: redactedJson,
  metrics: redactedJson,
  logs: redactedJson
})

const exported = (endpoint: string, version: string): Layer.Layer<never> =>
  OtlpTracer.layer({
    url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
    resource: { serviceName: "chronoforge", serviceVersion: version },
    shutdownTimeout: "1 second"
  }).pipe(Layer.provide([serialization, FetchHttpClient.layer]), Layer.merge(withoutServerSpans))

/** Effect's own span of a request would carry its query and headers; `withRequestSpan` takes its place. */
const withoutServerSpans = Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)

/** No span is made. */
const disabled = Layer.succeed(References.TracerEnabled, false)

/** Sends spans to the collector at `OTEL_EXPORTER_OTLP_ENDPOINT`, every five seconds and at the end (for at most a second); none when it is unset. */
export const tracing = (version: string): Layer.Layer<never, never, AppConfig> =>
  Layer.unwrap(
    Effect.map(AppConfig, ({ otlpEndpoint }) => (otlpEndpoint === undefined ? disabled : exported(otlpEndpoint, version)))
  )

/** Runs `effect` in a span of this name; costs next to nothing when no traces are sent, unlike `Effect.withSpan` and `Effect.fn`. */
export const spanned =
  (name: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(References.TracerEnabled, (isEnabled) => (isEnabled ? Effect.withSpan(effect, name) : effect))

/** What a span may know of a request. The query is not part of it: it may hold secrets. */
export interface TracedRequest {
  readonly id: string
  readonly method: string
  /** The name of the endpoint; undefined when none matched. */
  readonly route: string | undefined
  /** The path as sent, without the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** The span of another process or another time; undefined unless it is a W3C `traceparent` of version 00. */
export const spanFromTraceparent = (traceparent: string): Tracer.ExternalSpan | undefined =>
  Option.getOrUndefined(HttpTraceContext.w3c(Headers.fromInput({ traceparent })))

/** Runs `effect`, which makes the answer, in the span of a request, which continues the trace of its `traceparent` header. */
export const withRequestSpan =
  (request: TracedRequest) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(References.TracerEnabled, (isEnabled) => (isEnabled ? inServerSpan(request, effect) : effect))

const inServerSpan = <A, E, R>({ id, method, route, path, headers }: TracedRequest, effect: Effect.Effect<A, E, R>) => {
  const parent = headers.traceparent === undefined ? undefined : spanFromTraceparent(headers.traceparent)
  return Effect.withSpan(effect, `${method} ${route ?? "unknown"}`, {
    kind: "server",
    parent,
    root: parent === undefined,
    attributes: {
      "http.request.method": method,
      "http.route": route ?? "unknown",
      "url.path": path,
      "chronoforge.request_id": id
    },
    captureStackTrace: false
  })
}

const spanOf = (span: Option.Option<Tracer.AnySpan>): Tracer.Span | undefined =>
  Option.isSome(span) && span.value._tag === "Span" ? span.value : undefined

/** The running span; none when no trace is recorded. */
const currentSpan: Effect.Effect<Tracer.Span | undefined> = Effect.flatMap(References.TracerEnabled, (isEnabled) =>
  isEnabled ? Effect.map(Effect.serviceOption(Tracer.ParentSpan), spanOf) : Effect.undefined
)

/** Notes the answer in the span of the request, as the last thing in it: a status of 500 or more ends the span as failed. */
export const annotateAnswer = (status: number): Effect.Effect<void> =>
  Effect.flatMap(currentSpan, (span) => {
    if (span === undefined) return Effect.void
    span.attribute("http.response.status_code", status)
    if (status < 500) return Effect.void
    return Effect.map(Clock.currentTimeNanos, (now) => span.end(now, Exit.fail(`Answered with ${status}`)))
  })

/** The W3C `traceparent` of the running span, for the metadata of events; undefined when no trace is recorded. */
export const currentTraceparent: Effect.Effect<string | undefined> = Effect.map(currentSpan, (span) =>
  span === undefined ? undefined : HttpTraceContext.toHeaders(span).traceparent
)

const maxParents = 32

/**
 * Runs `effect` in a span of each of these traces, so that work for many requests at once, such as a projected batch, appears
 * in all of them (32 at most). For live work only: a rebuild would add to traces long past.
 */
export const withSpanInEach =
  (name: string, traceparents: ReadonlyArray<string | undefined>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(References.TracerEnabled, (isEnabled) => {
      if (!isEnabled) return effect
      const distinct = [...new Set(traceparents)].flatMap((text) => (text === undefined ? [] : [spanFromTraceparent(text)]))
      return distinct
        .slice(0, maxParents)
        .reduce(
          (inner, parent) => (parent === undefined ? inner : Effect.withSpan(inner, name, { parent, kind: "consumer" })),
          effect
        )
    })
