import { type EventLoopUtilization, type IntervalHistogram, monitorEventLoopDelay, performance } from "node:perf_hooks"
import { Context, Effect, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { Projections, type RebuildProgress } from "../../platform/Projections.ts"

/** What is read at the time of a scrape. It has its own registry, so that nothing stale is left for the next one. */
class Snapshot {
  readonly #context = Context.make(Metric.MetricRegistry, new Map())

  gauge(name: string, description: string, value: number, attributes: Readonly<Record<string, string>> = {}): void {
    Metric.gauge(name, { description, attributes }).updateUnsafe(value, this.#context)
  }

  counter(name: string, description: string, value: number): void {
    Metric.counter(name, { description, incremental: true }).updateUnsafe(value, this.#context)
  }

  format(): string {
    return PrometheusMetrics.formatUnsafe(this.#context)
  }
}

const startSeconds = performance.timeOrigin / 1000
const resolutionMillis = 10

interface EventLoop {
  readonly delay: IntervalHistogram
  utilization: EventLoopUtilization
}

/** The histogram counts the whole interval between two ticks of a timer, of which `resolutionMillis` are no delay. */
const delaySeconds = (nanos: number): number => Math.max(0, nanos / 1e9 - resolutionMillis / 1000) || 0

const addProcess = (snapshot: Snapshot, loop: EventLoop): void => {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  snapshot.counter("process_cpu_seconds_total", "Processor time of the process.", (user + system) / 1e6)
  snapshot.gauge("process_resident_memory_bytes", "Memory that the process holds.", rss)
  snapshot.gauge("process_start_time_seconds", "When the process started, in seconds since 1970.", startSeconds)
  snapshot.gauge("nodejs_heap_used_bytes", "Memory of live JavaScript objects.", heapUsed)
  const lag = "Delay of the event loop since the last scrape."
  snapshot.gauge("nodejs_eventloop_lag_p50_seconds", lag, delaySeconds(loop.delay.percentile(50)))
  snapshot.gauge("nodejs_eventloop_lag_p99_seconds", lag, delaySeconds(loop.delay.percentile(99)))
  snapshot.gauge("nodejs_eventloop_lag_max_seconds", lag, delaySeconds(loop.delay.max))
  loop.delay.reset()
  const now = performance.eventLoopUtilization()
  const { utilization } = performance.eventLoopUtilization(now, loop.utilization)
  loop.utilization = now
  snapshot.gauge(
    "nodejs_eventloop_utilization_ratio",
    "Share of time the event loop was busy since the last scrape.",
    utilization
  )
  const handles = Object.entries(Object.groupBy(process.getActiveResourcesInfo(), (type) => type))
  for (const [type, open] of handles) {
    snapshot.gauge("nodejs_active_resources", "Open handles by type.", open?.length ?? 0, { type })
  }
}

const addRebuild = (snapshot: Snapshot, name: string, rebuild: RebuildProgress): void => {
  const read_model = { read_model: name }
  snapshot.gauge(
    "chronoforge_rebuild_running",
    "1 while a read model is rebuilt.",
    rebuild.state === "running" ? 1 : 0,
    read_model
  )
  snapshot.gauge("chronoforge_rebuild_events", "Events that a rebuild has replayed.", rebuild.events, read_model)
  snapshot.gauge("chronoforge_rebuild_events_per_second", "Rate of a rebuild.", rebuild.eventsPerSecond, read_model)
  snapshot.gauge("chronoforge_rebuild_position", "Position that a rebuild has reached.", rebuild.position, read_model)
  snapshot.gauge("chronoforge_rebuild_head_position", "Position that a rebuild has to reach.", rebuild.head, read_model)
}

const addProjections = (snapshot: Snapshot) =>
  Effect.gen(function* () {
    const projections = yield* Projections
    const [status, rebuilds] = yield* Effect.all([projections.status, projections.rebuilds], { concurrency: 2 })
    snapshot.gauge("chronoforge_leader", "1 where the read models are written.", status.leader ? 1 : 0)
    snapshot.gauge("chronoforge_log_head_position", "Position of the last event of the log.", status.head)
    for (const { name, position, lag, parkedStreams } of status.readModels) {
      const read_model = { read_model: name }
      snapshot.gauge("chronoforge_projection_position", "Position up to which a read model is written.", position, read_model)
      snapshot.gauge("chronoforge_projection_lag", "What lies between a read model and the log's head.", lag, read_model)
      snapshot.gauge("chronoforge_projection_parked_streams", "Streams that could not be projected.", parkedStreams, read_model)
    }
    for (const rebuild of rebuilds) for (const name of rebuild.readModels) addRebuild(snapshot, name, rebuild)
  })

/**
 * Answers all metrics in the Prometheus text format 0.0.4: those that the service recorded, and the state of process and
 * read models. Without an answer of the database within two seconds the state of the read models is left out and
 * `chronoforge_projections_readable` is 0.
 */
export const makeScrape = Effect.fnUntraced(function* (version: string) {
  const projections = yield* Projections
  const delay = yield* Effect.acquireRelease(
    Effect.sync(() => monitorEventLoopDelay({ resolution: resolutionMillis })),
    (histogram) => Effect.sync(() => histogram.disable())
  )
  delay.enable()
  const loop: EventLoop = { delay, utilization: performance.eventLoopUtilization() }
  return Effect.gen(function* () {
    const snapshot = new Snapshot()
    snapshot.gauge("chronoforge_build_info", "Version of the service and its runtime.", 1, {
      version,
      node: process.versions.node
    })
    addProcess(snapshot, loop)
    const readable = yield* addProjections(snapshot).pipe(
      Effect.provideService(Projections, projections),
      Effect.timeout("2 seconds"),
      Effect.exit
    )
    const isReadable = readable._tag === "Success"
    snapshot.gauge("chronoforge_projections_readable", "1 when the state of the read models could be read.", isReadable ? 1 : 0)
    return (yield* PrometheusMetrics.format()) + snapshot.format()
  })
})
