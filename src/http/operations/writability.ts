import { Cause, Effect, Exit } from "effect"
import { DataDirRefused, makeDataDirTrial } from "../../platform/dataDir.ts"
import { EventStore } from "../../platform/eventStore/EventStore.ts"
import { query, Sql, SqlError } from "../../platform/sql/Sql.ts"
import { soon } from "./soon.ts"

/** Whether changes can be stored now. The process itself is well in either case, or it would not answer. */
export type Writability =
  | { readonly status: "ok"; readonly writes: "ok" }
  | { readonly status: "degraded"; readonly writes: "failing"; readonly reason: string }

const writable: Writability = { status: "ok", writes: "ok" }

/** A database that takes longer than this for a row counts as one that does not take it. */
const timeLimit = "2 seconds"
/** However often it is asked, the database is tried at most this often. */
const lifetime = "2 seconds"

/** The reason as it is answered: the state that the database or the system gave, without its text, which may name hosts. */
const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const errors = cause.reasons.flatMap((reason) =>
    reason._tag === "Fail" ? [reason.error] : reason._tag === "Die" ? [reason.defect] : []
  )
  if (errors.some((error) => Cause.isTimeoutError(error))) return "no answer in time"
  const refusal = errors.find((error) => error instanceof DataDirRefused)
  if (refusal !== undefined) return `DATA_DIR refused with ${refusal.code}`
  const code = errors.find((error) => error instanceof SqlError)?.code
  return code === undefined ? "not reachable" : `refused with ${code}`
}

/**
 * Tries a write: a lock on a row that nobody changes, which the database has to write to its own log, as nothing else tells a full disk or a
 * server that only reads. The log must answer too, and `dataDir` must take a file, because repositories lie there. Changes of the outcome are logged.
 * The answer comes within half a second.
 */
export const makeWritability = Effect.fnUntraced(function* (dataDir: string) {
  const { client } = yield* Sql
  const store = yield* EventStore
  let latest: Writability = writable
  const attempt = Effect.all(
    [
      query(() => client`select from chronoforge.migrations order by number limit 1 for key share skip locked`),
      store.head,
      makeDataDirTrial(dataDir)
    ],
    { concurrency: "unbounded" }
  )
  const tried = Effect.gen(function* () {
    const exit = yield* Effect.exit(Effect.timeout(attempt, timeLimit))
    const wasFailing = latest.writes === "failing"
    if (Exit.isSuccess(exit)) {
      latest = writable
      if (wasFailing) yield* Effect.logInfo("Changes can be stored again")
    } else {
      const reason = reasonOf(exit.cause)
      latest = { status: "degraded", writes: "failing", reason }
      if (!wasFailing) yield* Effect.logError(`Changes cannot be stored: ${reason}`)
    }
  })
  return soon(
    Effect.map(yield* Effect.cachedWithTTL(tried, lifetime), () => latest),
    writable
  )
})
