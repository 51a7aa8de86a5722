import { Layer, Redacted } from "effect"
import { layerEventStoreDb } from "#src/platform/eventStore/eventStoreDb/eventStoreDb.ts"
import { layerPostgres } from "#src/platform/eventStore/postgres.ts"
import { makeClient } from "#src/platform/sql/client.ts"
import { Sql } from "#src/platform/sql/Sql.ts"

/** The log in the database at `url`, or in the EventStoreDB at `logUrl`, where there is one. */
export const storeAt = (url: string, logUrl = "") => {
  const client = makeClient(url, { connections: 10, name: "chronoforge-bench" })
  const sql = Layer.succeed(Sql)({ url, client, lookups: client, tokenLookups: client, onTokenConnectionClosed: () => {} })
  return logUrl === ""
    ? Layer.provideMerge(layerPostgres, sql)
    : Layer.provideMerge(layerEventStoreDb(Redacted.make(logUrl)), sql)
}
