import { Cause, type Duration, Effect, Exit, Option } from "effect"
import { EventStore, type Position } from "../../platform/eventStore/EventStore.ts"
import { Projections, type ReadModelStatus } from "../../platform/Projections.ts"
import { query, Sql } from "../../platform/sql/Sql.ts"

/** Something without which no request can be served. `run` answers what is wrong, or undefined. */
export interface Check {
  readonly name: string
  readonly run: Effect.Effect<string | undefined>
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
  /** The time limit of each check. */
  readonly time: Duration.Input
  /** The time after which the read models must show what the log had: as long, or longer, would a change wait for its answer. */
  readonly wait: Duration.Input
}

export const defaultLimits: ReadinessLimits = { lag: 100_000, parkedStreams: 100, time: "2 seconds", wait: "1 second" }

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
const runCheck = ({ name, run }: Check, time: Duration.Input): Effect.Effect<readonly [string, CheckResult]> =>
  Effect.gen(function* () {
    const start = performance.now()
    const exit = yield* Effect.exit(Effect.timeout(run, time))
    const millis = Math.round((performance.now() - start) * 10) / 10
    if (Exit.isFailure(exit)) yield* Effect.logWarning(`Readiness check ${name} failed`, exit.cause)
    const reason = Exit.isSuccess(exit) ? exit.value : failureText(exit.cause)
    return [name, reason === undefined ? { status: "ok", millis } : { status: "failed", reason, millis }]
  })

const failureText = (cause: Cause.Cause<unknown>): string =>
  cause.reasons.some((reason) => reason._tag === "Fail" && Cause.isTimeoutError(reason.error))
    ? "no answer in time"
    : "not reachable"

/** Runs all checks at once. */
export const checkReadiness = (checks: ReadonlyArray<Check>, time: Duration.Input): Effect.Effect<Readiness> =>
  Effect.map(
    Effect.forEach(checks, (check) => runCheck(check, time), { concurrency: "unbounded" }),
    (results): Readiness => ({
      status: results.every(([, { status }]) => status === "ok") ? "ok" : "unavailable",
      checks: Object.fromEntries(results)
    })
  )
