import { Layer } from "effect"
import { layerPostgres } from "#src/platform/eventStore/postgres.ts"
import { makeClient } from "#src/platform/sql/client.ts"
import { Sql } from "#src/platform/sql/Sql.ts"

/** The log in the database at `url`. */
export const storeAt = (url: string) => {
  const client = makeClient(url, { connections: 10, name: "chronoforge-bench" })
  return Layer.provideMerge(
    layerPostgres,
    Layer.succeed(Sql)({ url, client, lookups: client, tokenLookups: client, onTokenConnectionClosed: () => {} })
  )
}
