import { Effect, Layer, Schedule } from "effect"
import { bootstrap, type RootToken } from "../bootstrap.ts"
import { AppConfig, type Settings } from "../config.ts"
import { expireExports, removeExports } from "../exports/work/removeExports.ts"
import { runExports } from "../exports/work/runExports.ts"
import { Maintenance } from "../git/maintenance/Maintenance.ts"
import type { Route } from "../http/Endpoint.ts"
import { deleteExpiredAnswers } from "../http/server/idempotency.ts"
import { HttpServer, httpServer, type NodeHandler, service } from "../http/server/server.ts"
import { runImports } from "../imports/work/runImports.ts"
import { StartError } from "../kernel/StartError.ts"
import { mergeDue } from "../mergeRequests/autoMerge/mergeDue.ts"
import { wakeWaiting } from "../mergeRequests/autoMerge/wakeWaiting.ts"
import { keepUpIssues } from "../mergeRequests/closing/reactions.ts"
import { reactToVersions } from "../mergeRequests/pipelines/reactToVersions.ts"
import { endMergesRegularly, keepUpMergeRequests } from "../mergeRequests/reactions/keepUp.ts"
import { refreshOutdated } from "../mergeRequests/reactions/refreshOutdated.ts"
import { rebaseRequested } from "../mergeRequests/rebasing/rebaseRequested.ts"
import { notifyResolved } from "../notes/discussions/notifyResolved.ts"
import { removeLeftSites, removeSites } from "../pages/sites/removeSites.ts"
import { returnJobs } from "../pipelines/executors/returnJobs.ts"
import { reactToPushes } from "../pipelines/pushes/reactToPushes.ts"
import { keepUpPipelines } from "../pipelines/upkeep/keepUp.ts"
import { EventStore } from "../platform/eventStore/EventStore.ts"
import { watchDescriptors } from "../platform/logging/shortage.ts"
import { Projections } from "../platform/Projections.ts"
import { endOrphans } from "../platform/processes/marker.ts"
import { maxOpenFiles } from "../platform/processes/openFiles.ts"
import { yieldToDatabase } from "../platform/processes/spawner/sessionPriority.ts"
import { fromHere } from "../platform/reactions/react.ts"
import { releaseMemory } from "../platform/releaseMemory.ts"
import { fitsStoredKeys } from "../platform/secrets/postgres.ts"
import { sealRegularly } from "../platform/verification/sealLog.ts"
import { cleanUpRepositories } from "../projects/lifecycle/cleanUp.ts"
import { reconcileRegularly } from "../pushes/reconcile.ts"
import { collectEvidences } from "../releases/evidence/collectEvidence.ts"
import { runScheduler } from "../schedules/scheduler/runScheduler.ts"
import { keepUpSchedules } from "../schedules/upkeep/keepUp.ts"
import { keepTodos } from "../todos/reactions/keepTodos.ts"
import { removeStaleUploads, removeUploads } from "../uploads/files/removeUploads.ts"
import { version } from "../version.ts"
import { announce } from "./announce.ts"
import { checkClock } from "./checks/database.ts"
import { checkGit } from "./checks/git.ts"
import { measureDisk } from "./diskMetrics.ts"
import { serverUrl } from "./serverUrl.ts"

/** An older git does not know all that it is told, such as the address that an import may connect to. */
const requireRecentGit = Effect.gen(function* () {
  const [found] = yield* checkGit
  if (found?.status === "fail") return yield* new StartError({ message: `git: ${found.detail}: ${found.remedy}` })
})

/** A log that ends before the read models do is another one, or a part of it: new events would never be shown. */
const requireSameLog = Effect.gen(function* () {
  const { head, readModels } = yield* Projections.use((projections) => projections.status)
  const ahead = readModels.find(({ position }) => position > head)
  if (ahead === undefined) return
  const reason = `The event log ends at position ${head}, but read model ${ahead.name} was filled up to ${ahead.position}`
  return yield* new StartError({ message: `${reason}: the log was truncated or replaced. Restore it, or use an empty database` })
})

/** Read models may have to be filled first: after an upgrade, or when the log is all there is. */
const awaitFilledReadModels = Effect.gen(function* () {
  const projections = yield* Projections
  const head = yield* EventStore.use((store) => store.head)
  yield* projections.awaitPosition(head).pipe(
    Effect.tapError(() =>
      Effect.flatMap(projections.status, ({ readModels }) => Effect.logInfo("Filling the read models", readModels))
    ),
    Effect.eventually
  )
})

const warnOfSecretKey = Effect.flatMap(fitsStoredKeys, (fits) =>
  fits
    ? Effect.void
    : Effect.logWarning("SECRET_KEY does not fit all stored keys: the other secrets read as absent; doctor counts them")
).pipe(Effect.catchCause((cause) => Effect.logWarning("SECRET_KEY could not be compared with the stored keys", cause)))

/** What is written has the time of the log, where that is later; what is due waits for the clock. */
const warnOfClock = Effect.flatMap(checkClock, ([found]) =>
  found?.status === "fail" ? Effect.logWarning(`Clock: ${found.detail}: ${found.remedy}`) : Effect.void
)

/** Positions count events in Postgres, bytes in EventStoreDB, where an event takes about a thousand. */
const maxLag = ({ eventStoreUrl }: Settings): number => (eventStoreUrl === undefined ? 100_000 : 100_000_000)

const idleMillisOf = ({ clientIdleTimeout }: Settings): number => clientIdleTimeout * 1000

/** How many connections there may be by default: the other half of the descriptors is for files, processes and the database. */
const connectionsFor = (maxOpenFiles: number): number => Math.min(10_000, Math.floor(maxOpenFiles / 2))

const http = <R, S>(routes: ReadonlyArray<Route<R>>, nodeHandler: Effect.Effect<NodeHandler, never, S>, token: RootToken) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const config = yield* AppConfig
      const server = yield* HttpServer
      const externalUrl = config.externalUrl ?? server.url
      const announced = Layer.effectDiscard(announce(externalUrl, token, config))
      return Layer.provideMerge(
        announced,
        service(routes, {
          nodeHandler,
          externalUrl,
          version,
          dataDir: config.dataDir,
          idleMillis: idleMillisOf(config),
          limits: { lag: maxLag(config) }
        })
      )
    })
  )

const trimAnswers = Effect.catchCause(deleteExpiredAnswers, (cause) =>
  Effect.logWarning("Old answers could not be removed", cause)
)

/** What a service started that was killed ends with it; where that failed, here. */
const endOrphanedProcesses = Effect.flatMap(
  Effect.sync(() => endOrphans()),
  (ended) => (ended === 0 ? Effect.void : Effect.logWarning(`Ended ${ended} processes of a service that was killed`))
)

/** Serves, and does what the service does of itself, until it is interrupted. */
const run = <R, S>(routes: ReadonlyArray<Route<R>>, nodeHandler: Effect.Effect<NodeHandler, never, S>, token: RootToken) =>
  Effect.gen(function* () {
    const config = yield* AppConfig
    yield* Effect.addFinalizer(() => Effect.logInfo("Chronoforge stops"))
    yield* Effect.forkScoped(Effect.repeat(trimAnswers, Schedule.spaced("1 hour")))
    yield* Effect.forkScoped(warnOfSecretKey)
    yield* Effect.forkScoped(warnOfClock)
    yield* Effect.forkScoped(watchDescriptors)
    yield* Effect.forkScoped(releaseMemory)
    yield* Effect.forkScoped(measureDisk)
    yield* Effect.forkScoped(sealRegularly)
    yield* Effect.forkScoped(reconcileRegularly)
    yield* Effect.forkScoped(Maintenance.use(({ run }) => run))
    yield* Effect.forkScoped(Effect.repeat(cleanUpRepositories, Schedule.spaced("1 hour")))
    yield* Effect.forkScoped(runImports)
    yield* Effect.forkScoped(runExports)
    yield* Effect.forkScoped(removeExports)
    yield* Effect.forkScoped(expireExports(config.exportLifetime))
    yield* Effect.forkScoped(returnJobs)
    const firing = { policy: config.scheduleMissed, serverUrl: yield* serverUrl }
    yield* Effect.forkScoped(reactToPushes(firing.serverUrl))
    yield* Effect.forkScoped(runScheduler(firing))
    yield* Effect.forkScoped(keepUpSchedules)
    yield* Effect.forkScoped(keepUpPipelines)
    yield* Effect.forkScoped(keepUpMergeRequests)
    yield* Effect.forkScoped(keepUpIssues(firing.serverUrl))
    yield* Effect.forkScoped(refreshOutdated)
    yield* Effect.forkScoped(reactToVersions(firing.serverUrl))
    yield* Effect.forkScoped(wakeWaiting)
    yield* Effect.forkScoped(notifyResolved)
    yield* Effect.forkScoped(mergeDue(firing.serverUrl))
    yield* Effect.forkScoped(endMergesRegularly)
    yield* Effect.forkScoped(rebaseRequested(firing.serverUrl))
    yield* Effect.forkScoped(keepTodos)
    yield* Effect.forkScoped(collectEvidences)
    yield* Effect.forkScoped(removeSites)
    yield* Effect.forkScoped(Effect.repeat(removeLeftSites, Schedule.spaced("1 hour")))
    yield* Effect.forkScoped(removeUploads)
    yield* Effect.forkScoped(Effect.repeat(removeStaleUploads, Schedule.spaced("1 hour")))
    const maxConnections = config.maxConnections ?? connectionsFor(yield* maxOpenFiles)
    const limits = { idleMillis: idleMillisOf(config), maxConnections, shutdownDelayMillis: config.shutdownDelay * 1000 }
    return yield* Layer.launch(Layer.provide(http(routes, nodeHandler, token), httpServer(config.host, config.port, limits)))
  })

/** Runs the service until it is interrupted. */
export const serve = <R, S>(routes: ReadonlyArray<Route<R>>, nodeHandler: Effect.Effect<NodeHandler, never, S>) =>
  Effect.gen(function* () {
    yield* requireRecentGit
    yield* requireSameLog
    yield* endOrphanedProcesses
    yield* Effect.sync(yieldToDatabase)
    yield* awaitFilledReadModels
    return yield* fromHere(run(routes, nodeHandler, yield* bootstrap))
  }).pipe(Effect.scoped)
