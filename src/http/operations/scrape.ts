import { type EventLoopUtilization, type IntervalHistogram, monitorEventLoopDelay, performance } from "node:perf_hooks"
import { Clock, Context, Effect, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { EventStore, type Position } from "../../platform/eventStore/EventStore.ts"
import { Projections, type RebuildProgress } from "../../platform/Projections.ts"
import { poolState } from "../../platform/sql/pool.ts"
import type { FairQueue } from "../../platform/work/FairQueue.ts"
import { RequestPlaces } from "../../platform/work/RequestPlaces.ts"
import { WorkPlaces } from "../../platform/work/WorkPlaces.ts"

/** What is read at the time of a scrape. It has its own registry, so that nothing stale is left for the next one. */
class Snapshot {
  readonly #context = Context.make(Metric.MetricRegistry, new Map())

  gauge(name: string, description: string, value: number, attributes: Readonly<Record<string, string>> = {}): void {
    Metric.gauge(name, { description, attributes }).updateUnsafe(value, this.#context)
  }

  counter(name: string, description: string, value: number, attributes: Readonly<Record<string, string>> = {}): void {
    Metric.counter(name, { description, attributes, incremental: true }).updateUnsafe(value, this.#context)
  }

  format(): string {
    return PrometheusMetrics.formatUnsafe(this.#context)
  }
}

const startSeconds = performance.timeOrigin / 1000
/** Shorter intervals keep the processor of an idle service awake: 10 milliseconds took a third of what it takes. */
const resolutionMillis = 50

/** The figures of the event loop are those of the last whole window of this many milliseconds, for whoever scrapes and however often. */
const windowMillis = 15_000

interface LoopFigures {
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly utilization: number
}

/** The histogram counts the whole interval between two ticks of a timer, of which `resolutionMillis` are no delay. */
const delaySeconds = (nanos: number): number => Math.max(0, nanos / 1e9 - resolutionMillis / 1000) || 0

const figuresOf = (delay: IntervalHistogram, since: EventLoopUtilization): LoopFigures => ({
  p50: delaySeconds(delay.percentile(50)),
  p99: delaySeconds(delay.percentile(99)),
  max: delaySeconds(delay.max),
  utilization: performance.eventLoopUtilization(since).utilization
})

/** Observes the event loop as long as the scope lives. Until the first window is over, the figures are those since the beginning. */
const observeEventLoop = Effect.gen(function* () {
  const delay = yield* Effect.acquireRelease(
    Effect.sync(() => monitorEventLoopDelay({ resolution: resolutionMillis })),
    (histogram) => Effect.sync(() => histogram.disable())
  )
  delay.enable()
  let since = performance.eventLoopUtilization()
  let last: LoopFigures | undefined
  yield* Effect.sync(() => {
    last = figuresOf(delay, since)
    delay.reset()
    since = performance.eventLoopUtilization()
  }).pipe(Effect.delay(windowMillis), Effect.forever, Effect.forkScoped)
  return () => last ?? figuresOf(delay, since)
})

const addProcess = (snapshot: Snapshot, loop: LoopFigures): void => {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  snapshot.counter("process_cpu_seconds_total", "Processor time of the process.", (user + system) / 1e6)
  snapshot.gauge("process_resident_memory_bytes", "Memory that the process holds.", rss)
  snapshot.gauge("process_start_time_seconds", "When the process started, in seconds since 1970.", startSeconds)
  snapshot.gauge("nodejs_heap_used_bytes", "Memory of live JavaScript objects.", heapUsed)
  const lag = "Delay of the event loop in the last window of 15 seconds."
  snapshot.gauge("nodejs_eventloop_lag_p50_seconds", lag, loop.p50)
  snapshot.gauge("nodejs_eventloop_lag_p99_seconds", lag, loop.p99)
  snapshot.gauge("nodejs_eventloop_lag_max_seconds", lag, loop.max)
  snapshot.gauge(
    "nodejs_eventloop_utilization_ratio",
    "Share of time the event loop was busy in the last window of 15 seconds.",
    loop.utilization
  )
  const handles = Object.entries(Object.groupBy(process.getActiveResourcesInfo(), (type) => type))
  for (const [type, open] of handles) {
    snapshot.gauge("nodejs_active_resources", "Open handles by type.", open?.length ?? 0, { type })
  }
}

const addDatabasePool = (snapshot: Snapshot): void => {
  const { busy, connections, statements } = poolState()
  snapshot.gauge("chronoforge_database_connections", "Connections that the pools of the process may use.", connections)
  snapshot.gauge("chronoforge_database_connections_busy", "Connections with a statement or a transaction.", busy)
  snapshot.gauge("chronoforge_database_statements", "Statements that the database has not answered yet.", statements)
}

const addWork = (snapshot: Snapshot, places: Readonly<Record<string, FairQueue>>): void => {
  for (const [workClass, queue] of Object.entries(places)) {
    const attributes = { class: workClass }
    snapshot.gauge("chronoforge_work_running", "Places of a class of work that are taken.", queue.running, attributes)
    snapshot.gauge("chronoforge_work_waiting", "Who waits for a place of a class of work.", queue.queued, attributes)
    snapshot.counter(
      "chronoforge_work_refused_total",
      "Who was told 503, because the queue was full or the wait too long.",
      queue.refused,
      attributes
    )
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

/** How many seconds ago the first event was stored that a read model at this position does not show. */
const secondsBehind = Effect.fnUntraced(function* (position: Position) {
  const store = yield* EventStore
  const [next] = yield* store.readAll(position, 1)
  return next === undefined ? 0 : Math.max(0, ((yield* Clock.currentTimeMillis) - next.at) / 1000)
})

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
      const seconds = lag === 0 ? 0 : yield* secondsBehind(position)
      snapshot.gauge("chronoforge_projection_lag_seconds", "Age of the oldest event that is not shown.", seconds, read_model)
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
  const store = yield* EventStore
  const places = { ...(yield* WorkPlaces), ...(yield* RequestPlaces) }
  const eventLoop = yield* observeEventLoop
  return Effect.gen(function* () {
    const snapshot = new Snapshot()
    snapshot.gauge("chronoforge_build_info", "Version of the service and its runtime.", 1, {
      version,
      node: process.versions.node
    })
    addProcess(snapshot, eventLoop())
    addDatabasePool(snapshot)
    addWork(snapshot, places)
    const readable = yield* addProjections(snapshot).pipe(
      Effect.provideService(Projections, projections),
      Effect.provideService(EventStore, store),
      Effect.timeout("2 seconds"),
      Effect.exit
    )
    const isReadable = readable._tag === "Success"
    snapshot.gauge("chronoforge_projections_readable", "1 when the state of the read models could be read.", isReadable ? 1 : 0)
    return (yield* PrometheusMetrics.format()) + snapshot.format()
  })
})
