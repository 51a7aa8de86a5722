import { Effect } from "effect"
import { jsonFormat, prettyFormat } from "#src/platform/logging/logLine.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import type { TestService } from "./service.ts"

/** The tables of the database that hold a text anywhere, as `schema.table`. */
export const tablesThatHold = (service: TestService, text: string): Promise<ReadonlyArray<string>> =>
  service.run(
    Effect.gen(function* () {
      const { client } = yield* Sql
      const tables = yield* query(
        () => client<Array<{ name: string }>>`
          select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
          where schemaname not in ('pg_catalog', 'information_schema') order by name`
      )
      const holds = ({ name }: { readonly name: string }) =>
        query(() => client`select from ${client.unsafe(name)} t where position(${text} in t::text) > 0 limit 1`)
      const found = yield* Effect.filter(tables, (table) => Effect.map(holds(table), (rows) => rows.length > 0))
      return found.map(({ name }) => name)
    })
  )

/** What the service has logged so far, in both formats. */
export const logText = ({ log }: TestService): string => {
  const [pretty, time] = [prettyFormat({ colours: false }), new Date()]
  return log.flatMap((line) => [jsonFormat.request(line, time), pretty.request(line, time)]).join("\n")
}
