import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { TestClock } from "effect/testing"
import { describe } from "vitest"
import { layerMeasuredEventStore, makeRequestRecorder } from "#src/http/operations/metrics.ts"
import { makeScrape } from "#src/http/operations/scrape.ts"
import { AppendTooLarge, EventStore, type NewEvent, WrongExpectedRevision } from "#src/platform/eventStore/EventStore.ts"
import { Projections, type RebuildProgress } from "#src/platform/Projections.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"
import { recordedEvent } from "#test/support/recordedEvent.ts"
import { parsePrometheusText } from "./prometheusText.ts"

const freshRegistry = Effect.provideServiceEffect(
  Metric.MetricRegistry,
  Effect.sync(() => new Map())
)
const recorded = Effect.map(PrometheusMetrics.format(), parsePrometheusText)

describe("requests", () => {
  it.effect("are counted by method, route and status, and timed by route", () =>
    Effect.gen(function* () {
      const record = yield* makeRequestRecorder
      record({ method: "GET", route: "clusters.list", status: 200, durationMillis: 31.25 })
      record({ method: "GET", route: "clusters.list", status: 200, durationMillis: 250 })
      record({ method: "POST", route: "clusters.add", status: 400, durationMillis: 20_000 })
      record({ method: "BREW", route: undefined, status: 404, durationMillis: 0.5 })
      const samples = yield* recorded
      expect(samples).toMatchObject({
        'chronoforge_http_requests_total{method="GET",route="clusters.list",status="200"}': 2,
        'chronoforge_http_requests_total{method="POST",route="clusters.add",status="400"}': 1,
        'chronoforge_http_requests_total{method="other",route="unknown",status="404"}': 1,
        'chronoforge_http_request_duration_seconds_bucket{route="clusters.list",le="0.025"}': 0,
        'chronoforge_http_request_duration_seconds_bucket{route="clusters.list",le="0.05"}': 1,
        'chronoforge_http_request_duration_seconds_bucket{route="clusters.list",le="0.25"}': 2,
        'chronoforge_http_request_duration_seconds_bucket{route="clusters.list",le="+Inf"}': 2,
        'chronoforge_http_request_duration_seconds_sum{route="clusters.list"}': 0.28125,
        'chronoforge_http_request_duration_seconds_bucket{route="clusters.add",le="10"}': 0,
        'chronoforge_http_request_duration_seconds_count{route="clusters.add"}': 1
      })
    }).pipe(freshRegistry)
  )

  it.effect("cost well under 5 microseconds each", () =>
    Effect.gen(function* () {
      const record = yield* makeRequestRecorder
      const count = 100_000
      const start = cpuMillis()
      for (let i = 0; i < count; i++) record({ method: "GET", route: `route.${i % 60}`, status: 200, durationMillis: i % 100 })
      expect(((cpuMillis() - start) * 1000) / count).toBeLessThan(5)
    }).pipe(freshRegistry)
  )
})

const event: NewEvent = {
  id: "00000000-0000-4000-8000-000000000000",
  type: "Added",
  schemaVersion: 1,
  data: {},
  metadata: { actor: "user:1", commandId: "c", correlationId: "r" }
}

const storeOfOutcomes = Layer.mock(EventStore)({
  append: (stream) => {
    if (stream === "taken") return Effect.fail(new WrongExpectedRevision({ stream, expected: "noStream", actual: 0 }))
    if (stream === "large") return Effect.fail(new AppendTooLarge({ stream, bytes: 2, limit: 1 }))
    return stream === "broken" ? Effect.die("disk") : Effect.succeed({ revision: 0, position: 1 })
  },
  head: Effect.succeed(7)
})

describe("appends", () => {
  it.effect("are counted by outcome, and answer what the store answers", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const append = (stream: string, count: number) =>
        Effect.exit(
          store.append(
            stream,
            "noStream",
            Array.from({ length: count }, () => event)
          )
        )
      const exits = yield* Effect.all([
        append("a", 1),
        append("b", 3),
        append("taken", 1),
        append("large", 1),
        append("broken", 1)
      ])
      expect(exits.map(({ _tag }) => _tag)).toEqual(["Success", "Success", "Failure", "Failure", "Failure"])
      expect(yield* store.head).toBe(7)
      expect(yield* recorded).toMatchObject({
        'chronoforge_appends_total{outcome="appended"}': 2,
        'chronoforge_appends_total{outcome="WrongExpectedRevision"}': 1,
        'chronoforge_appends_total{outcome="AppendTooLarge"}': 1,
        'chronoforge_appends_total{outcome="Defect"}': 1,
        'chronoforge_append_events_bucket{le="1"}': 1,
        'chronoforge_append_events_bucket{le="4"}': 2,
        chronoforge_append_events_sum: 4,
        chronoforge_append_duration_seconds_count: 5
      })
    }).pipe(Effect.provide(Layer.provide(layerMeasuredEventStore, storeOfOutcomes)), freshRegistry)
  )
})

const rebuild: RebuildProgress = {
  id: 4,
  readModels: ["users", "keys"],
  state: "running",
  events: 900,
  position: 1000,
  head: 5000,
  eventsPerSecond: 60_000,
  differing: null,
  examples: [],
  error: null,
  parkedStreams: 0,
  firstParked: null
}

const status = Effect.succeed({
  leader: true,
  head: 5000,
  readModels: [
    { name: "users", position: 4990, lag: 10, parkedStreams: 0 },
    { name: "keys", position: 5000, lag: 0, parkedStreams: 2 }
  ]
})

/** The oldest event that users do not show was stored at 3 s. */
const log = Layer.mock(EventStore)({
  readAll: () => Effect.succeed([{ ...recordedEvent({ type: "Added", schemaVersion: 1, data: {} }, "user-1"), at: 3_000 }])
})
const withLog = (projections: Layer.Layer<Projections>) => Layer.merge(projections, log)

const scrapeWith = (projections: Layer.Layer<Projections>) =>
  Effect.flatten(makeScrape("1.2.3")).pipe(Effect.map(parsePrometheusText), Effect.provide(withLog(projections)), freshRegistry)

describe("a scrape", () => {
  it.effect("shows read models, rebuilds and process", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("5 seconds")
      const samples = yield* scrapeWith(
        Layer.mock(Projections)({ names: ["users", "keys"], status, rebuilds: Effect.succeed([rebuild]) })
      )
      expect(samples).toMatchObject({
        [`chronoforge_build_info{version="1.2.3",node="${process.versions.node}"}`]: 1,
        chronoforge_projections_readable: 1,
        chronoforge_leader: 1,
        chronoforge_log_head_position: 5000,
        'chronoforge_projection_lag{read_model="users"}': 10,
        'chronoforge_projection_lag{read_model="keys"}': 0,
        'chronoforge_projection_lag_seconds{read_model="users"}': 2,
        'chronoforge_projection_lag_seconds{read_model="keys"}': 0,
        'chronoforge_projection_parked_streams{read_model="keys"}': 2,
        'chronoforge_rebuild_running{read_model="users"}': 1,
        'chronoforge_rebuild_events{read_model="keys"}': 900,
        'chronoforge_rebuild_position{read_model="keys"}': 1000,
        'chronoforge_rebuild_head_position{read_model="keys"}': 5000
      })
      expect(samples.process_cpu_seconds_total).toBeGreaterThan(0)
      expect(samples.process_resident_memory_bytes).toBeGreaterThan(1e7)
      expect(samples.process_start_time_seconds).toBeCloseTo(performance.timeOrigin / 1000, 0)
      expect(samples.nodejs_eventloop_lag_p99_seconds).toBeGreaterThanOrEqual(0)
      expect(samples.nodejs_eventloop_utilization_ratio).toBeGreaterThanOrEqual(0)
      expect(Object.keys(samples).filter((name) => name.startsWith("nodejs_active_resources{"))).not.toEqual([])
    })
  )

  it.effect("tells the same of the event loop to whoever scrapes, until the next window of 15 seconds is over", () =>
    Effect.gen(function* () {
      const scrape = yield* makeScrape("1.2.3")
      const figures = Effect.map(scrape, (text) =>
        Object.entries(parsePrometheusText(text)).filter(([name]) => name.startsWith("nodejs_eventloop_"))
      )
      yield* TestClock.adjust("15 seconds")
      const first = yield* figures
      expect([first.length, yield* figures, yield* figures]).toEqual([4, first, first])
      // The histogram measures between two ticks of a timer of 50 ms, of which the second comes late.
      const turn = () => new Promise((resolve) => setImmediate(resolve))
      const untilATick = Effect.promise(async () => {
        for (const end = performance.now() + 52; performance.now() < end; ) await turn()
        await turn()
        await turn()
      })
      yield* untilATick
      const busy = performance.now() + 100
      while (performance.now() < busy);
      yield* untilATick
      expect(yield* figures).toEqual(first)
      yield* TestClock.adjust("15 seconds")
      expect(yield* figures).not.toEqual(first)
    }).pipe(Effect.provide(withLog(Layer.mock(Projections)({ names: [], status, rebuilds: Effect.succeed([]) }))), freshRegistry)
  )

  it.effect("does without the read models when the database does not answer", () =>
    Effect.gen(function* () {
      const scrape = yield* Effect.forkChild(
        scrapeWith(Layer.mock(Projections)({ names: [], status: Effect.never, rebuilds: Effect.succeed([]) }))
      )
      yield* TestClock.adjust("2 seconds")
      const samples = yield* Fiber.join(scrape)
      expect(samples).toMatchObject({ chronoforge_projections_readable: 0 })
      expect(Object.keys(samples).filter((name) => name.startsWith("chronoforge_projection_"))).toEqual([])
    })
  )
})
