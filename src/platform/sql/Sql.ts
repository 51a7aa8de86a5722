import { Context, Data, Effect, Exit } from "effect"
import type postgres from "postgres"

type Types = { readonly bigint: number }
/** Tagged templates of the `postgres` package, for a pool or one of its connections; `int8` arrives as number. */
export type Statements = postgres.ISql<Types>
/** A connection that nobody else uses until it is released. */
export type Reserved = postgres.ReservedSql<Types>
/** What a statement can be given as a value. */
export type Value = string | number | boolean | null | ReadonlyArray<string> | ReadonlyArray<number>

/** A client as the driver makes it. */
export type DriverClient = Statements & Pick<postgres.Sql<Types>, "options" | "reserve" | "listen" | "end">

/** Connections; for a transaction, one of them is reserved. */
export interface Client extends DriverClient {
  /**
   * Runs a text of which there are many variants, as of the filters of a list. One that is `repeated` is kept prepared, as far as the
   * connection has room for it.
   */
  readonly variant: <Row extends object>(
    text: string,
    values: ReadonlyArray<Value>,
    repeated: boolean
  ) => postgres.PendingQuery<Array<Row>>
}

/** A part of a statement. */
export type Fragment = postgres.Fragment

/** The database did not answer or refused a statement. A defect: answered as 500, or 503 when there is no connection. */
export class SqlError extends Data.TaggedError("SqlError")<{ readonly cause: unknown }> {
  override get message() {
    const { cause } = this
    if (typeof cause === "object" && cause !== null && "message" in cause) return String(cause.message)
    return typeof cause === "string" ? cause : "the database failed without a message"
  }
  /** The SQLSTATE such as `23505`, or a connection code such as `ECONNREFUSED`. */
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
     * A connection for reads by key, which take microseconds: those of many requests travel in one message. A statement that is blocked
     * for five seconds is cancelled.
     */
    readonly lookups: Client
    /** A connection like `lookups` for tokens alone, so that callers are authenticated even when other tables are blocked. */
    readonly tokenLookups: Client
    /** Calls `listener` whenever the connection for tokens ends: what comes after may be another server. */
    readonly onTokenConnectionClosed: (listener: () => void) => void
    /** URL of the server, for processes and connections of their own. Holds the password: never print it. */
    readonly url: string
  }
>()("chronoforge/platform/Sql") {}

/** Runs one statement; its failure is a defect. */
export const query = <A>(run: () => PromiseLike<A>): Effect.Effect<A> => Effect.orDie(attempt(run))

/** Runs one statement whose failure the caller can act on. */
export const attempt = <A>(run: () => PromiseLike<A>): Effect.Effect<A, SqlError> =>
  Effect.tryPromise({ try: run, catch: (cause) => new SqlError({ cause }) })

/** Postgres answers `commit` with `ROLLBACK` where a statement had failed, even if nobody looked. */
const commit = async (tx: Reserved): Promise<void> => {
  const { command } = await tx.unsafe("commit")
  if (command !== "COMMIT") throw new Error("the transaction was rolled back: one of its statements had failed")
}

/** Runs `use` in one transaction: committed when it succeeds, rolled back when it fails or is interrupted. */
export const transaction = <A, E, R>(
  client: Client,
  use: (tx: Reserved) => Effect.Effect<A, E, R>,
  begin = "begin"
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    query(() => client.reserve()),
    (tx) =>
      Effect.acquireUseRelease(
        query(() => tx.unsafe(begin)),
        () => use(tx),
        (_, exit) => query<unknown>(() => (Exit.isSuccess(exit) ? commit(tx) : tx.unsafe("rollback")))
      ),
    (tx) => Effect.sync(() => tx.release())
  )

/** Sends a statement, whose answer need not be awaited before the next one is sent. */
const started = (statement: PromiseLike<unknown>): Promise<void> => {
  const answered = Promise.resolve(statement.then(() => {}))
  answered.catch(() => {})
  return answered
}

/**
 * Runs `use` in one transaction: committed when it resolves, rolled back when it rejects. The statements that `last` makes of its result
 * are sent together with the commit, after all of them are made; where one of them fails, Postgres rolls back.
 */
export const transact = async <A>(
  client: Client,
  use: (tx: Statements) => Promise<A>,
  last: (tx: Statements, result: A) => ReadonlyArray<PromiseLike<unknown>> = () => [],
  begin = "begin"
): Promise<A> => {
  const tx = await client.reserve()
  try {
    const begun = started(tx.unsafe(begin))
    const result = await use(tx)
    await begun
    const answers = last(tx, result).map(started)
    answers.push(started(commit(tx)))
    for (const answer of answers) await answer
    return result
  } catch (error) {
    // When the connection is lost, so is the transaction.
    await tx.unsafe("rollback").catch(() => {})
    throw error
  } finally {
    tx.release()
  }
}
