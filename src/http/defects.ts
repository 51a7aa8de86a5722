import type { Cause } from "effect"
import { Contended } from "../platform/Commands.ts"
import { AppendTooLarge, EventStoreUnavailable } from "../platform/eventStore/EventStore.ts"
import { isConnectionLost } from "../platform/sql/connection.ts"
import { SqlError } from "../platform/sql/Sql.ts"
import { reasonOf } from "../platform/unavailable.ts"
import { conflict, internalError, payloadTooLarge, serviceUnavailable, type WireError } from "./errors.ts"

/** The server gave a statement up that took too long. */
const isGivenUp = ({ code }: SqlError): boolean => code === "57014"

/** What a client is told of a fault that no handler foresaw. Details are for the log alone. */
export const defectError = (cause: Cause.Cause<unknown>): WireError => {
  for (const reason of cause.reasons) {
    if (reason._tag !== "Die") continue
    const { defect } = reason
    if (
      defect instanceof EventStoreUnavailable ||
      (defect instanceof SqlError && (isConnectionLost(defect) || isGivenUp(defect)))
    ) {
      return serviceUnavailable("503 Service Unavailable", 1)
    }
    const unavailable = reasonOf(defect)
    if (unavailable !== undefined) return serviceUnavailable(`503 Service Unavailable - ${unavailable}`, 10)
    if (defect instanceof AppendTooLarge) return payloadTooLarge
    if (defect instanceof Contended) return conflict("409 Conflict: Resource lock")
  }
  return internalError
}
