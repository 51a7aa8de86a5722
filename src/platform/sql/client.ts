import postgres from "postgres"
import { defined } from "../../kernel/defined.ts"
import { arrayTypes } from "./arrays.ts"
import { makePool } from "./pool.ts"
import { reconnecting } from "./reconnecting.ts"
import type { Client, DriverClient } from "./Sql.ts"
import { serverAddress } from "./serverAddress.ts"

export interface ClientOptions {
  /** The highest number of connections. */
  readonly connections: number
  /** The name in `pg_stat_activity`. */
  readonly name: string
  /** A commit answers before it is on disk; for what can be made again from the log. */
  readonly relaxedCommit?: boolean
  /** Called when a connection ends. */
  readonly onClosed?: () => void
  /** The end of the other side must be noticed within seconds: the connection holds locks, or all depends on it. */
  readonly usesKeepalive?: boolean
  /** The server cancels a statement after this many milliseconds; the default is never. */
  readonly statementTimeoutMillis?: number
  /** Statements are planned once, for any values, rather than anew where the server thinks that it helps. */
  readonly usesGenericPlans?: boolean
}

/** The server gives a session lock free within ten seconds of losing the machine that holds it. Milliseconds, seconds, seconds, probes. */
const keepalives = { tcp_user_timeout: 10_000, tcp_keepalives_idle: 3, tcp_keepalives_interval: 2, tcp_keepalives_count: 3 }

/** The number of seconds until the next attempt to connect, which stays short so that a server that is back is noticed at once. */
const backoff = (retries: number): number => Math.min(3 ** retries / 100, 0.5)

/** Connections that are made when needed, and kept: a session lock lives as long as its connection. Integers of 64 bits arrive as numbers. */
export const makeClient = (url: string, { connections, onClosed, ...options }: ClientOptions): Client => {
  const connection = () =>
    reconnecting((onConnectionClosed) =>
      connectionOf(url, options, () => {
        onConnectionClosed()
        onClosed?.()
      })
    )
  return connections === 1 ? connection() : makePool(Array.from({ length: connections }, connection))
}

type ConnectionOptions = Omit<ClientOptions, "connections" | "onClosed">

const connectionOf = (server: string, options: ConnectionOptions, onclose: () => void): DriverClient => {
  const { path, url } = serverAddress(server)
  return postgres(url, {
    ...defined({ path }),
    max: 1,
    // The question for the types of arrays that begins a connection of `postgres` 3.4.9 ends the process when the connection ends meanwhile.
    fetch_types: false,
    idle_timeout: 0,
    max_lifetime: null,
    backoff,
    onclose,
    onnotice: () => {},
    connection: {
      application_name: options.name,
      ...(options.usesKeepalive && keepalives),
      ...defined({
        synchronous_commit: options.relaxedCommit ? "off" : undefined,
        plan_cache_mode: options.usesGenericPlans ? "force_generic_plan" : undefined,
        statement_timeout: options.statementTimeoutMillis
      })
    },
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String }, ...arrayTypes }
  })
}

/** Whether a statement was refused by the server, which says why. */
export const isPostgresError = (cause: unknown): cause is postgres.PostgresError => cause instanceof postgres.PostgresError
