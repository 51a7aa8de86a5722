import { EventStoreUnavailable } from "./eventStore/EventStore.ts"
import { isConnectionLost } from "./sql/connection.ts"
import { SqlError } from "./sql/Sql.ts"

/** The server gave a statement up that took too long. */
const isStatementTimeout = ({ code }: SqlError): boolean => code === "57014"

/** Whether a defect says that the log or the database does not answer: it may do so again in a moment. */
export const isStoreUnavailable = (defect: unknown): boolean =>
  defect instanceof EventStoreUnavailable ||
  (defect instanceof SqlError && (isConnectionLost(defect) || isStatementTimeout(defect)))
