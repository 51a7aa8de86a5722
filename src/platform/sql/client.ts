import postgres from "postgres"
import { makePool } from "./pool.ts"
import type { Client } from "./Sql.ts"

export interface ClientOptions {
  /** Connections at most. */
  readonly connections: number
  /** Shown in `pg_stat_activity`. */
  readonly name: string
  /** A commit answers before it is on disk; for what can be made again from the log. */
  readonly relaxedCommit?: boolean
  /** Called when a connection ends. With it, connections are never recycled: a session lock lives as long as its connection. */
  readonly onClosed?: () => void
}

/** The server gives a session lock free within ten seconds of losing the machine that holds it. Milliseconds, seconds, seconds, probes. */
const keepalives = { tcp_user_timeout: 10_000, tcp_keepalives_idle: 3, tcp_keepalives_interval: 2, tcp_keepalives_count: 3 }

/** A pool of connections that are made when needed. Integers of 64 bits arrive as numbers. */
export const makeClient = (url: string, { connections, ...options }: ClientOptions): Client =>
  connections === 1 ? connectionOf(url, options) : makePool(Array.from({ length: connections }, () => connectionOf(url, options)))

const connectionOf = (url: string, options: Omit<ClientOptions, "connections">): Client =>
  postgres(url, {
    max: 1,
    idle_timeout: 0,
    ...(options.onClosed === undefined ? {} : { onclose: options.onClosed, max_lifetime: null }),
    onnotice: () => {},
    connection: {
      application_name: options.name,
      ...(options.onClosed === undefined ? {} : keepalives),
      ...(options.relaxedCommit === true ? { synchronous_commit: "off" } : {})
    },
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } }
  })
