import type { Cause } from "effect"
import { Contended } from "../../platform/Commands.ts"
import { AppendTooLarge } from "../../platform/eventStore/EventStore.ts"
import { reasonOf } from "../../platform/logging/unavailable.ts"
import { isStoreUnavailable } from "../../platform/storeUnavailable.ts"
import { conflict, internalError, payloadTooLarge, serviceUnavailable, type WireError } from "./errors.ts"

/** What a client is told of a fault that no handler foresaw. Details are for the log alone. */
export const defectError = (cause: Cause.Cause<unknown>): WireError => {
  for (const reason of cause.reasons) {
    if (reason._tag !== "Die") continue
    const { defect } = reason
    if (isStoreUnavailable(defect)) return serviceUnavailable("503 Service Unavailable", 1)
    const unavailable = reasonOf(defect)
    if (unavailable !== undefined) return serviceUnavailable(`503 Service Unavailable - ${unavailable}`, 10)
    if (defect instanceof AppendTooLarge) return payloadTooLarge
    if (defect instanceof Contended) return conflict("409 Conflict: Resource lock")
  }
  return internalError
}
