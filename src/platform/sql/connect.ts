import { Effect, Layer, type Redacted } from "effect"
import { AppConfig, redacted } from "../../config.ts"
import { StartError } from "../../kernel/StartError.ts"
import { type ClientOptions, makeClient } from "./client.ts"
import { embeddedPostgres, type Mode } from "./embedded/embedded.ts"
import { migrate } from "./migrate.ts"
import { attempt, type Client, query, Sql, type SqlError } from "./Sql.ts"

/** The oldest server that has what the service uses, as `server_version_num` counts. */
const minServerVersion = 140_000

/** The server cancels a lookup after this many milliseconds. */
const lookupTimeoutMillis = 5_000

/** Refuses a server of an unsupported version: a number such as 130014, and the text to show for it. */
export const checkServerVersion = (version: number, text: string): Effect.Effect<void, StartError> =>
  version >= minServerVersion
    ? Effect.void
    : Effect.fail(new StartError({ message: `DATABASE_URL: the server is Postgres ${text}; 14 or newer is needed` }))

/** The pool of a process. Fails when the server cannot be reached or is too old. `setting` names the origin of the URL. */
export const connect = Effect.fn("Sql.connect")(function* (url: string, poolSize: number, setting = "DATABASE_URL") {
  if (!/^postgres(ql)?:\/\//.test(url)) return yield* new StartError({ message: `${setting}: not a postgres:// URL` })
  const listeners = new Set<() => void>()
  const open = (options: Omit<ClientOptions, "name">) =>
    Effect.acquireRelease(
      Effect.try({
        try: () => makeClient(url, { ...options, name: "chronoforge" }),
        catch: () => new StartError({ message: `${setting}: not a valid postgres:// URL` })
      }),
      (client) => Effect.promise(() => client.end({ timeout: 5 }))
    )
  const client = yield* open({ connections: poolSize, usesGenericPlans: true })
  const lookupOptions = {
    connections: 1,
    usesKeepalive: true,
    usesGenericPlans: true,
    statementTimeoutMillis: lookupTimeoutMillis
  }
  const lookups = yield* open(lookupOptions)
  const onClosed = () => {
    for (const listener of listeners) listener()
  }
  const tokenLookups = yield* open({ ...lookupOptions, onClosed })
  const { host, path, port } = client.options
  const server = path ? String(path) : `${host[0]}:${port[0]}`
  const connectionFailed = ({ code, message }: SqlError) => {
    // Codes of Postgres have five characters; those of the network are words.
    const reason = code === undefined || code.length === 5 ? message : code
    // The driver begins TLS also with a server that has said that it has none, unless it is only preferred.
    const { ssl } = client.options
    const asksForTls = code === "ECONNRESET" && ssl && ssl !== "prefer" ? "; sslmode asks for TLS: does the server have it?" : ""
    return new StartError({ message: `${setting}: cannot connect to ${server}: ${reason}${asksForTls}` })
  }
  const [version] = yield* attempt(
    () => client<Array<{ number: number; text: string }>>`
      select current_setting('server_version_num')::int as number, current_setting('server_version') as text`
  ).pipe(Effect.mapError(connectionFailed))
  if (version !== undefined) yield* checkServerVersion(version.number, version.text)
  return Sql.of({ client, lookups, tokenLookups, onTokenConnectionClosed: (listener) => listeners.add(listener), url })
})

/** What a service takes at most besides its pool: for its log, its projector, its reactors, its locks and rebuilds. */
const otherConnections = 15

/** Says so where the database lets a service have fewer connections than it may want. */
const warnOfFewConnections = Effect.fnUntraced(function* (client: Client, poolSize: number) {
  const [row] = yield* attempt(
    () => client<Array<{ allowed: number }>>`
      select least(
        nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1),
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0)
      ) as allowed
      from pg_roles r, pg_database d where r.rolname = session_user and d.datname = current_database() and not r.rolsuper`
  )
  const wanted = poolSize + otherConnections
  if (row === undefined || row.allowed >= wanted) return
  yield* Effect.logWarning(
    `DATABASE_POOL_SIZE: this process may want ${wanted} connections, and DATABASE_URL allows ${row.allowed} to all together: some may wait, or be refused`
  )
})

const databaseUrlOf = (setting: Redacted.Redacted<string> | undefined): string | undefined => {
  const url = redacted(setting)
  return url === "" ? undefined : url
}

/**
 * The database of the settings: the server of DATABASE_URL, else the embedded one in DATA_DIR. `own` is for the service, of which
 * an embedded server has one at most; `attach` for commands, which use what runs and start what does not.
 */
export const sqlLayer = (mode: Mode): Layer.Layer<Sql, StartError, AppConfig> =>
  Layer.effect(
    Sql,
    Effect.gen(function* () {
      const { dataDir, databasePoolSize, databaseUrl } = yield* AppConfig
      const url = databaseUrlOf(databaseUrl)
      if (url !== undefined) {
        const sql = yield* connect(url, databasePoolSize)
        if (mode === "own") yield* Effect.ignore(warnOfFewConnections(sql.client, databasePoolSize))
        return sql
      }
      const server = yield* embeddedPostgres({ dataDir, mode })
      return yield* connect(server.url, databasePoolSize, `DATA_DIR ${dataDir}`)
    })
  )

/** `sqlLayer`, with the schemas brought up to date before anything uses it. */
export const migratedSqlLayer = (mode: Mode): Layer.Layer<Sql, StartError, AppConfig> =>
  Layer.provideMerge(Layer.effectDiscard(migrate()), sqlLayer(mode))

/** Refuses a database in which no service was ever started: whoever looks at one has another one in mind. */
const requireSchema = Effect.gen(function* () {
  const { client } = yield* Sql
  const [found] = yield* query(
    () => client<Array<{ isThere: boolean }>>`
    select to_regclass('chronoforge.migrations') is not null as "isThere"`
  )
  if (found?.isThere !== true) return yield* new StartError({ message: "There is no installation in this database" })
})

/** `migratedSqlLayer` for what looks at what is there, which it never makes. */
export const existingSqlLayer = (mode: Mode): Layer.Layer<Sql, StartError, AppConfig> =>
  Layer.provideMerge(Layer.effectDiscard(Effect.andThen(requireSchema, migrate())), sqlLayer(mode))
