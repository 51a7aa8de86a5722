import { Effect, Schedule } from "effect"
import type { SqlError } from "./Sql.ts"

const connectionCodes = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  // read_only_sql_transaction: a server that is no primary any more; too_many_connections
  "25006",
  "53300",
  // admin_shutdown, crash_shutdown, cannot_connect_now
  "57P01",
  "57P02",
  "57P03"
])

/** Whether the statement failed for want of a connection, so that it may be sent again when it is idempotent. */
export const isConnectionLost = (error: SqlError): boolean => {
  const code = error.code
  return code !== undefined && (connectionCodes.has(code) || code.startsWith("08"))
}

const backoff = Schedule.exponential("25 millis").pipe(Schedule.jittered, Schedule.upTo({ duration: "2 seconds", times: 6 }))

/** Whether others were in the way of the statement: serialization_failure, deadlock_detected. */
const isConflict = ({ code }: SqlError): boolean => code === "40001" || code === "40P01"

/** Runs an idempotent statement, again after a lost connection or where others were in the way: six times within two seconds. */
export const retryTransient = <A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
  Effect.retry(statement, { while: (error) => isConnectionLost(error) || isConflict(error), schedule: backoff })
