import { hash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import type postgres from "postgres"
import { StartError } from "../../kernel/StartError.ts"
import { attempt, query, Sql, type SqlError } from "./Sql.ts"

/** One step of the schema. Once released it is never edited: a change is a new step. */
export interface Migration {
  /** Counts from 1 without gaps. */
  readonly number: number
  readonly name: string
  readonly sql: string
}

type Connection = postgres.ReservedSql<{ bigint: number }>

/** A step as a database has recorded it. */
export interface Applied {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

/** The checksum of a migration, independent of how a checkout writes line ends. */
export const checksumOf = ({ sql }: Migration): string => hash("sha256", sql.replaceAll("\r\n", "\n"), "hex")

const migrationsFolder = fileURLToPath(new URL("migrations/", import.meta.url))

/** How many migrations a folder holds. Never changes: each would have to move. */
const folderSize = 20

const padded = (number: number): string => String(number).padStart(4, "0")

/** How the path of a migration begins, from the folder of all: `0021-0040/0024_`. */
const prefixOf = (number: number): string => {
  const first = number - ((number - 1) % folderSize)
  return `${padded(first)}-${padded(first + folderSize - 1)}/${padded(number)}_`
}

/**
 * The migrations in a folder, in order: files `0001-0020/0001_name.sql` and following. The folders only keep the list short: what is
 * recorded of a migration is its number, name and checksum. Dies where a file is not where its number belongs.
 */
export const readMigrations = (folder: string): Effect.Effect<ReadonlyArray<Migration>> =>
  Effect.promise(async () => {
    const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(".sql"))
    const files = paths.map((path) => path.replaceAll(sep, "/")).sort()
    return Promise.all(
      files.map(async (file, index) => {
        const number = index + 1
        const prefix = prefixOf(number)
        const name = file.slice(prefix.length, -".sql".length)
        if (!file.startsWith(prefix) || !/^[a-z0-9_]+$/.test(name))
          throw new Error(`The migration ${file} must be called ${prefix}<name>.sql`)
        return { number, name, sql: await readFile(join(folder, file), "utf8") }
      })
    )
  })

/** The migrations of this version. */
export const loadMigrations: Effect.Effect<ReadonlyArray<Migration>> = readMigrations(migrationsFolder)

const lock = 0x4346_0003

/** Runs `use` with a connection whose lock makes this process the only one that migrates the database. */
const exclusively = <A, E>(use: (connection: Connection) => Effect.Effect<A, E>): Effect.Effect<A, E, Sql> =>
  Sql.use(({ client }) =>
    Effect.acquireUseRelease(
      query(() => client.reserve()),
      (connection) =>
        Effect.acquireUseRelease(
          query(() => connection`select pg_advisory_lock(${lock})`),
          () => use(connection),
          () => Effect.ignore(attempt(() => connection`select pg_advisory_unlock(${lock})`))
        ),
      (connection) => Effect.sync(() => connection.release())
    )
  )

const recorded = (connection: Connection): Effect.Effect<ReadonlyArray<Applied>, StartError> =>
  attempt(async () => {
    await connection.unsafe(`
      create schema if not exists chronoforge;
      create table if not exists chronoforge.migrations (
        number integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`)
    return connection<Array<Applied>>`select number, name, checksum from chronoforge.migrations order by number`
  }).pipe(Effect.mapError(({ message }) => new StartError({ message: `Cannot read or make the schema chronoforge: ${message}` })))

/** The first step that was applied and is not of this version; `known` is the one with its number, where there is one. */
export const foreignAmong = (migrations: ReadonlyArray<Migration>, applied: ReadonlyArray<Applied>) =>
  applied
    .map((step) => ({ step, known: migrations[step.number - 1] }))
    .find(({ known, step }) => known === undefined || checksumOf(known) !== step.checksum)

/** Refuses a database that this version did not make. */
const checkHistory = (migrations: ReadonlyArray<Migration>, applied: ReadonlyArray<Applied>): Effect.Effect<void, StartError> => {
  const foreign = foreignAmong(migrations, applied)
  if (foreign === undefined) return Effect.void
  const { known, step } = foreign
  const message =
    known === undefined
      ? `The database was migrated by a newer version of Chronoforge (migration ${step.number}, ${step.name}): start that version`
      : `Migration ${step.number} (${known.name}) is not the one that the database was made with (${step.name}): restore the file`
  return Effect.fail(new StartError({ message }))
}

const apply = (connection: Connection, migration: Migration): Effect.Effect<void, StartError> => {
  const { number, name, sql } = migration
  const failed = (error: SqlError) => new StartError({ message: `Migration ${number} (${name}) failed: ${error.message}` })
  return attempt(async () => {
    await connection.unsafe("begin")
    await connection.unsafe(sql)
    await connection`insert into chronoforge.migrations (number, name, checksum) values (${number}, ${name}, ${checksumOf(migration)})`
    await connection.unsafe("commit")
  }).pipe(
    Effect.mapError(failed),
    Effect.tapError(() => Effect.ignore(attempt(() => connection.unsafe("rollback")))),
    Effect.tap(() => Effect.logInfo(`Applied migration ${number} (${name})`)),
    Effect.uninterruptible
  )
}

/**
 * Brings the schema up to date, each step in a transaction of its own. Of several processes one does it, the others wait and
 * find it done. `migrations`: those of this version unless given.
 */
export const migrate = Effect.fn("migrate")(function* (migrations?: ReadonlyArray<Migration>) {
  const known = migrations ?? (yield* loadMigrations)
  yield* exclusively((connection) =>
    Effect.gen(function* () {
      const applied = yield* recorded(connection)
      yield* checkHistory(known, applied)
      yield* Effect.forEach(known.slice(applied.length), (migration) => apply(connection, migration), { discard: true })
    })
  )
})
