import { type Context, Effect, Exit, Layer, Metric } from "effect"
import { type AppendError, EventStore } from "../../platform/eventStore/EventStore.ts"

/** An answered request. */
export interface MeasuredRequest {
  readonly method: string
  /** The name of the endpoint; undefined when none matched. It is never the path as sent, because each value is a series of its own. */
  readonly route: string | undefined
  readonly status: number
  readonly durationMillis: number
}

const durationSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const batchSizes = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

const requestsOf = (method: string, route: string, status: number) =>
  Metric.counter("chronoforge_http_requests_total", {
    description: "Requests answered.",
    attributes: { method, route, status: String(status) },
    incremental: true
  })

const durationOf = (route: string) =>
  Metric.histogram("chronoforge_http_request_duration_seconds", {
    description: "Time from request to answer.",
    attributes: { route },
    boundaries: durationSeconds
  })

/** The value that `make` gave for `key` the first time. */
const memoised = <K, V>(make: (key: K) => V): ((key: K) => V) => {
  const known = new Map<K, V>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(key)
    known.set(key, made)
    return made
  }
}

/** Counts requests into the metric registry of the fiber that runs this effect. The function is synchronous and takes less than a microsecond. */
export const makeRequestRecorder: Effect.Effect<(request: MeasuredRequest) => void> = Effect.map(
  Effect.context<never>(),
  (context) => {
    const routes = memoised((route: string) => ({
      duration: durationOf(route),
      methods: memoised((method: string) => memoised((status: number) => requestsOf(method, route, status)))
    }))
    return ({ method, route, status, durationMillis }) => {
      const series = routes(route ?? "unknown")
      series
        .methods(methods.has(method) ? method : "other")(status)
        .updateUnsafe(1, context)
      series.duration.updateUnsafe(durationMillis / 1000, context)
    }
  }
)

type Outcome = "appended" | AppendError["_tag"] | "Defect"

const appendsOf = memoised((outcome: Outcome) =>
  Metric.counter("chronoforge_appends_total", {
    description: "Appends to the event store by outcome.",
    attributes: { outcome },
    incremental: true
  })
)
const appendedEvents = Metric.histogram("chronoforge_append_events", {
  description: "Events of an append that was stored.",
  boundaries: batchSizes
})
const appendDuration = Metric.histogram("chronoforge_append_duration_seconds", {
  description: "Time until an append was stored or refused.",
  boundaries: durationSeconds
})

const outcomeOf = (exit: Exit.Exit<unknown, AppendError>): Outcome => {
  if (Exit.isSuccess(exit)) return "appended"
  const [refusal] = exit.cause.reasons.filter((reason) => reason._tag === "Fail")
  return refusal?.error._tag ?? "Defect"
}

const recordAppend = (
  context: Context.Context<never>,
  append: { readonly outcome: Outcome; readonly events: number; readonly millis: number }
): void => {
  appendsOf(append.outcome).updateUnsafe(1, context)
  appendDuration.updateUnsafe(append.millis / 1000, context)
  if (append.outcome === "appended") appendedEvents.updateUnsafe(append.events, context)
}

/** The event store below it, with its appends counted. */
export const layerMeasuredEventStore: Layer.Layer<EventStore, never, EventStore> = Layer.effect(
  EventStore,
  Effect.gen(function* () {
    const store = yield* EventStore
    const context = yield* Effect.context<never>()
    return EventStore.of({
      ...store,
      append: (stream, expected, events, options) =>
        Effect.suspend(() => {
          const start = performance.now()
          return Effect.onExit(store.append(stream, expected, events, options), (exit) =>
            Effect.sync(() =>
              recordAppend(context, { outcome: outcomeOf(exit), events: events.length, millis: performance.now() - start })
            )
          )
        })
    })
  })
)
