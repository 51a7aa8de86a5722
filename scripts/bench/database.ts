import { Effect, References } from "effect"
import { connect } from "#src/platform/sql/connect.ts"
import { embeddedPostgres } from "#src/platform/sql/embedded/embedded.ts"
import { migrate } from "#src/platform/sql/migrate.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"

/** Makes databases on the one server of the run, which has the durable settings of the product. */
export interface Databases {
  /** URL of a new database without tables. */
  readonly empty: (name: string) => Promise<string>
  /** Like `empty`, but a commit answers before it is on disk, as where the service makes something again from its log. */
  readonly relaxed: (name: string) => Promise<string>
  /** URL of a new database as the service has it. */
  readonly migrated: (name: string) => Promise<string>
}

/** Starts an embedded Postgres in `dataDir`; it stops with the scope. */
export const startDatabases = Effect.fn("bench.databases")(function* (dataDir: string) {
  const server = yield* embeddedPostgres({ dataDir, mode: "own" })
  const { client } = yield* connect(server.url, 1)
  const empty = (name: string) =>
    Effect.as(
      query(() => client.unsafe(`create database ${name}`)),
      Object.assign(new URL(server.url), { pathname: `/${name}` }).href
    )
  const relaxed = (name: string) =>
    Effect.tap(empty(name), () => query(() => client.unsafe(`alter database ${name} set synchronous_commit = off`)))
  const migrated = (name: string) =>
    Effect.tap(empty(name), (url) => Effect.scoped(Effect.provideServiceEffect(migrate(), Sql, connect(url, 1)))).pipe(
      Effect.provideService(References.MinimumLogLevel, "Warn")
    )
  const databases: Databases = {
    empty: (name) => Effect.runPromise(empty(name)),
    relaxed: (name) => Effect.runPromise(relaxed(name)),
    migrated: (name) => Effect.runPromise(migrated(name))
  }
  return databases
})
