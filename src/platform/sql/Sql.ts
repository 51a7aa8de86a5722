import { Context, Data, Effect, Exit } from "effect"
import type postgres from "postgres"

/** Tagged-template client of the `postgres` package; `int8` arrives as number. */
export type Client = postgres.Sql<{ bigint: number }>
/** What a pool, a reserved connection and a transaction have in common. */
export type Statements = postgres.ISql<{ bigint: number }>

/** The database did not answer or refused a statement. A defect: answered as 500, or 503 when there is no connection. */
export class SqlError extends Data.TaggedError("SqlError")<{ readonly cause: unknown }> {
  override get message() {
    const { cause } = this
    if (typeof cause === "object" && cause !== null && "message" in cause) return String(cause.message)
    return typeof cause === "string" ? cause : "the database failed without a message"
  }
  /** SQLSTATE such as `23505`, or a connection code such as `ECONNREFUSED`. */
  get code(): string | undefined {
    return typeof this.cause === "object" && this.cause !== null && "code" in this.cause ? String(this.cause.code) : undefined
  }
}

/** The Postgres server. */
export class Sql extends Context.Service<
  Sql,
  {
    /** A pool for short statements. */
    readonly client: Client
    /**
     * One connection for reads by key, which take microseconds: those of many requests travel in one message. A statement that
     * is blocked for five seconds is given up.
     */
    readonly lookups: Client
    /** Such a connection for tokens alone: whatever blocks a table of other things, callers are known. */
    readonly tokenLookups: Client
    /** Calls `listener` whenever the connection for tokens ends: what comes after may be another server. */
    readonly onTokensLost: (listener: () => void) => void
    /** URL of the server, for processes and connections of their own. Holds the password: never print it. */
    readonly url: string
  }
>()("chronoforge/platform/Sql") {}

/** Runs one statement; its failure is a defect. */
export const query = <A>(run: () => PromiseLike<A>): Effect.Effect<A> => Effect.orDie(attempt(run))

/** Runs one statement whose failure the caller can act on. */
export const attempt = <A>(run: () => PromiseLike<A>): Effect.Effect<A, SqlError> =>
  Effect.tryPromise({ try: run, catch: (cause) => new SqlError({ cause }) })

/** Runs `use` in one transaction: committed when it succeeds, rolled back when it fails or is interrupted. */
export const transaction = <A, E, R>(
  client: Client,
  use: (tx: postgres.ReservedSql<{ bigint: number }>) => Effect.Effect<A, E, R>,
  begin = "begin"
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    query(() => client.reserve()),
    (tx) =>
      Effect.acquireUseRelease(
        query(() => tx.unsafe(begin)),
        () => use(tx),
        (_, exit) => query(() => tx.unsafe(Exit.isSuccess(exit) ? "commit" : "rollback"))
      ),
    (tx) => Effect.sync(() => tx.release())
  )
