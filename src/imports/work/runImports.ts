import { Cause, Clock, Effect, FiberSet, Result, Schedule } from "effect"
import { load } from "../../platform/Commands.ts"
import { CurrentOrigin, systemOrigin } from "../../platform/Origin.ts"
import { CurrentWork } from "../../platform/work/CurrentWork.ts"
import { importAggregate } from "../aggregate.ts"
import type { ImportSource } from "../events.ts"
import { ImportQueries, type PendingImport } from "../Queries.ts"
import { ImportLimits } from "../remote/ImportLimits.ts"
import { parseImportUrl } from "../remote/url.ts"
import { importLocks } from "./locks.ts"
import { conclude, type Outcome, performImport, type Source } from "./perform.ts"
import { openCredentials } from "./sealedCredentials.ts"

/** One process runs at most this many imports at a time, each on behalf of somebody else. */
const maxConcurrent = 2
/** An import that failed by a defect of the service is retried after this delay, and given up after `maxAttempts`. */
const retryDelayMillis = 60_000
const maxAttempts = 3
const serviceFailed: Outcome = { _tag: "Failed", reason: "The service failed to import the repository" }

/** The source to fetch from; the failure says why there is none. */
const sourceOf = Effect.fnUntraced(function* (projectId: number, { credentials: sealed, url }: ImportSource) {
  if (url === null) return Result.fail("The command that was importing ended before it was done")
  if (!(yield* ImportLimits).isEnabled) return Result.fail("Imports are switched off")
  const parsed = parseImportUrl(url)
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
  const credentials = yield* openCredentials(projectId, sealed)
  if (credentials === undefined) return Result.fail("The credentials of the import cannot be read any more")
  const source: Source = { _tag: "Server", remote: { ...parsed.success, credentials } }
  return Result.succeed(source)
})

/** Imports what is scheduled for a project of which this process has the lock. Nothing happens when it is over meanwhile. */
const importPending = Effect.fnUntraced(function* (projectId: number) {
  const { state } = yield* load(importAggregate, projectId)
  if (state._tag !== "Scheduled" && state._tag !== "Started") return
  const source = yield* sourceOf(projectId, state.source)
  if (Result.isFailure(source)) return yield* Effect.asVoid(conclude(projectId, { _tag: "Failed", reason: source.failure }))
  const { outcome } = yield* performImport(projectId, source.success)
  if (outcome._tag === "Failed") yield* Effect.logInfo(`The import into project ${projectId} failed: ${outcome.reason}`)
})

const work = Effect.gen(function* () {
  const [locks, queries] = [yield* importLocks, yield* ImportQueries]
  const fibers = yield* FiberSet.make<void>()
  /** On whose behalf each project's import runs. */
  const running = new Map<number, string>()
  /** Who was looked at last: turns go round by the names of callers. */
  let last = ""
  const delayed = new Map<number, { readonly until: number; readonly failures: number }>()
  const start = Effect.fnUntraced(function* ({ id: projectId, scheduledBy }: PendingImport) {
    running.set(projectId, scheduledBy)
    const onDefect = Effect.fnUntraced(function* (defect: unknown) {
      const failures = (delayed.get(projectId)?.failures ?? 0) + 1
      delayed.set(projectId, { until: (yield* Clock.currentTimeMillis) + retryDelayMillis, failures })
      yield* Effect.logWarning(`The service failed to import into project ${projectId}`, defect)
      if (failures >= maxAttempts) yield* conclude(projectId, serviceFailed)
    })
    const release = Effect.andThen(
      locks.give(projectId),
      Effect.sync(() => running.delete(projectId))
    )
    yield* FiberSet.run(fibers, importPending(projectId).pipe(Effect.catchDefect(onDefect), Effect.ensuring(release)))
  })
  const mayStart = ({ id, scheduledBy }: PendingImport, now: number): boolean =>
    ![...running.values()].includes(scheduledBy) && !running.has(id) && (delayed.get(id)?.until ?? 0) <= now
  /** Starts the oldest import of the next one of whom none runs; answers whether anybody was there. */
  const startNext = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const pending = yield* queries.pending(last)
    last = pending.at(-1)?.scheduledBy ?? ""
    for (const each of pending) {
      if (!mayStart(each, now) || !(yield* locks.tryTake(each.id))) continue
      last = each.scheduledBy
      yield* start(each)
      break
    }
    return pending.length > 0
  })
  // One that is over may be shown as pending for a while, and would be begun again and again: a second has few looks.
  const poll = Effect.gen(function* () {
    for (let looks = 0; looks <= maxConcurrent && running.size < maxConcurrent; looks++) {
      const isRound = last === ""
      if (!(yield* startNext) && isRound) return
    }
  })
  yield* Effect.raceFirst(locks.lost, Effect.repeat(poll, Schedule.spaced("1 second")))
}).pipe(Effect.scoped)

/**
 * Does the imports that are scheduled, and goes on with those that a process left undone, for ever. Several processes may do so: each
 * import is done by one of them. Interrupting it leaves what is under way to the next start.
 */
export const runImports = work.pipe(
  Effect.catchCauseIf(
    (cause) => !Cause.hasInterruptsOnly(cause),
    (cause) => Effect.logWarning("Imports failed and will be retried", cause)
  ),
  Effect.repeat(Schedule.spaced("1 second")),
  Effect.provideService(CurrentOrigin, systemOrigin("import")),
  Effect.provideService(CurrentWork, { class: "background", caller: "imports" })
)
