import { Cause, type Duration, Effect, Exit, Option } from "effect"
import { EventStore, type Position } from "../../platform/eventStore/EventStore.ts"
import { Projections, type ReadModelStatus } from "../../platform/Projections.ts"
import { query, Sql } from "../../platform/sql/Sql.ts"
import { atMostEvery } from "../../platform/work/atMostEvery.ts"
import { soon } from "./soon.ts"

/** Something without which no request can be served. `run` answers what is wrong, or undefined. */
export interface Check {
  readonly name: string
  readonly run: Effect.Effect<string | undefined>
  /** Its own limit of time, where it has one. */
  readonly time?: Duration.Input
}

export interface CheckResult {
  readonly status: "ok" | "failed"
  readonly reason?: string
  readonly millis: number
}

export interface Readiness {
  readonly status: "ok" | "unavailable"
  readonly checks: Readonly<Record<string, CheckResult>>
}

/** Bounds of a read model that may serve reads. */
export interface ReadinessLimits {
  /** The limit is in the unit of `ReadModelStatus.lag`. */
  readonly lag: number
  /** Gap: one event that cannot be projected parks one stream and must not take every node out of service; many mean that the projector is broken. */
  readonly parkedStreams: number
  /** The time limit of each check that has none of its own. */
  readonly time: Duration.Input
  /**
   * The time after which the read models must show what the log had: as long, or longer, would a change wait for its answer. Where the process
   * that projects stands still, another one takes over sooner: no node is to be taken out of service for that.
   */
  readonly wait: Duration.Input
}

export const defaultLimits: ReadinessLimits = { lag: 100_000, parkedStreams: 100, time: "2 seconds", wait: "8 seconds" }
/** It waits for the read models, and asks the database before. */
const timeOfProjections = "10 seconds"

const problem = ({ name, lag, parkedStreams }: ReadModelStatus, limits: ReadinessLimits): ReadonlyArray<string> => [
  ...(lag > limits.lag ? [`${name} lags by ${lag}`] : []),
  ...(parkedStreams > limits.parkedStreams ? [`${name} has ${parkedStreams} parked streams`] : [])
]

/** Whether a change would wait long: the read models do not come to where the log is now. */
const makesChangesWait = ({ awaitPosition }: Projections["Service"], head: Position, { wait }: ReadinessLimits) =>
  awaitPosition(head).pipe(Effect.timeoutOption(wait), Effect.match({ onFailure: () => true, onSuccess: Option.isNone }))

/** The checks of every node: database, event store, read models. */
export const standardChecks = (limits: ReadinessLimits) =>
  Effect.gen(function* () {
    const { client, lookups, tokenLookups } = yield* Sql
    const store = yield* EventStore
    const projections = yield* Projections
    const checks: ReadonlyArray<Check> = [
      {
        name: "database",
        run: Effect.as(
          Effect.forEach([client, lookups, tokenLookups], (each) => query(() => each`select 1`), { concurrency: 3 }),
          undefined
        )
      },
      { name: "event_store", run: Effect.as(store.head, undefined) },
      {
        name: "projections",
        time: timeOfProjections,
        run: Effect.gen(function* () {
          const { head, readModels } = yield* projections.status
          const problems = readModels.flatMap((readModel) => problem(readModel, limits))
          if (problems.length > 0) return problems.join(", ")
          return (yield* makesChangesWait(projections, head, limits)) ? "changes wait: the read models do not advance" : undefined
        })
      }
    ]
    return checks
  })

/** The reason of a failure is logged, not answered: it may name hosts. */
const runCheck = ({ name, run, time }: Check, limit: Duration.Input): Effect.Effect<CheckResult> =>
  Effect.gen(function* () {
    const start = performance.now()
    const exit = yield* Effect.exit(Effect.timeout(run, time ?? limit))
    const millis = Math.round((performance.now() - start) * 10) / 10
    if (Exit.isFailure(exit)) yield* Effect.logWarning(`Readiness check ${name} failed`, exit.cause)
    const reason = Exit.isSuccess(exit) ? exit.value : failureText(exit.cause)
    return reason === undefined ? { status: "ok", millis } : { status: "failed", reason, millis }
  })

const failureText = (cause: Cause.Cause<unknown>): string =>
  cause.reasons.some((reason) => reason._tag === "Fail" && Cause.isTimeoutError(reason.error))
    ? "no answer in time"
    : "not reachable"

/** What asks the database is done at most once in so many milliseconds, however many ask for it. */
export const intervalMillis = 250

/** What all checks find, at once: soon, once each has found something. */
export const makeReadiness = Effect.fnUntraced(function* (checks: ReadonlyArray<Check>, limit: Duration.Input) {
  const all = yield* Effect.forEach(checks, (check) =>
    Effect.map(atMostEvery(intervalMillis, runCheck(check, limit)), (run) =>
      Effect.map(soon(run), (result) => [check.name, result] as const)
    )
  )
  return Effect.map(
    Effect.all(all, { concurrency: "unbounded" }),
    (results): Readiness => ({
      status: results.every(([, { status }]) => status === "ok") ? "ok" : "unavailable",
      checks: Object.fromEntries(results)
    })
  )
})
