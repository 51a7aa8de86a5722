import { Clock, Effect } from "effect"
import { type Applied, foreignAmong, loadMigrations } from "../../platform/sql/migrate.ts"
import { attempt, Sql } from "../../platform/sql/Sql.ts"
import { checked, type Finding, fail, ok, warn } from "./Finding.ts"

const server = Effect.gen(function* () {
  const { client } = yield* Sql
  const start = yield* Clock.currentTimeMillis
  const [row] = yield* attempt(
    () => client<Array<{ version: string; bytes: number }>>`
      select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`
  )
  const millis = (yield* Clock.currentTimeMillis) - start
  const size = `${Math.round((row?.bytes ?? 0) / 1024 ** 2)} MiB`
  return [ok("database", `Postgres ${row?.version ?? "?"} answers in ${millis} ms, ${size}`)]
})

/** The oldest server that the service works with is checked where the connection is made. */
export const checkDatabase = checked("database", "see the log of the server", server)

const applied = Effect.gen(function* () {
  const { client } = yield* Sql
  const rows = yield* attempt(
    () => client<Array<{ present: boolean }>>`select to_regclass('chronoforge.migrations') is not null as present`
  )
  if (rows[0]?.present !== true) return []
  return yield* attempt(
    () => client<Array<Applied>>`
      select number, name, checksum from chronoforge.migrations order by number`
  )
})

/** How many migrations the database lacks, or undefined when a newer version made it. */
const migrations = Effect.gen(function* () {
  const known = yield* loadMigrations
  const done = yield* applied
  const foreign = foreignAmong(known, done)
  if (foreign !== undefined) {
    const { number, name } = foreign.step
    const finding =
      foreign.known === undefined
        ? fail(
            "migrations",
            `migration ${number} (${name}) is not one of this version`,
            "start the version that made the database"
          )
        : fail(
            "migrations",
            `migration ${number} (${name}) is not the one that the database was made with`,
            "restore its file, or start the version that made the database"
          )
    return { complete: false, finding }
  }
  const missing = known.length - done.length
  const finding =
    missing === 0
      ? ok("migrations", `all ${known.length} applied`)
      : warn("migrations", `${missing} of ${known.length} not applied yet`, "the next start of the service applies them")
  return { complete: missing === 0, finding }
})

/** Whether the database has the tables of this version. The rest can only be checked if it has. */
export const checkMigrations: Effect.Effect<{ readonly complete: boolean; readonly finding: Finding }, never, Sql> =
  migrations.pipe(
    Effect.catch(({ message }) =>
      Effect.succeed({ complete: false, finding: fail("migrations", message, "see the log of the server") })
    )
  )

/** The clocks of two machines may differ by this many milliseconds. */
const maxSkewMillis = 5_000

/** Whether this machine's clock agrees with the database's and with the log. */
export const checkClock = checked(
  "clock",
  "set up time synchronisation (NTP) on both machines",
  Effect.gen(function* () {
    const { client } = yield* Sql
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* attempt(
      () => client<Array<{ database: number; log: number }>>`
        select (extract(epoch from clock_timestamp()) * 1000)::bigint as database, at as log from chronoforge.log_head`
    )
    const skew = (row?.database ?? now) - now
    const ahead = (row?.log ?? 0) - now
    const remedy = "set up time synchronisation (NTP)"
    if (ahead > maxSkewMillis) {
      return [
        fail(
          "clock",
          `the log's last event is ${Math.round(ahead / 1000)} s in the future: until then time stands still in it`,
          remedy
        )
      ]
    }
    if (Math.abs(skew) > maxSkewMillis)
      return [warn("clock", `differs from the database's by ${Math.round(skew / 1000)} s`, remedy)]
    return [ok("clock", new Date(now).toISOString())]
  })
)
