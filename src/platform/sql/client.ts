import postgres from "postgres"
import { makePool } from "./pool.ts"
import { renewing } from "./renewing.ts"
import type { Client } from "./Sql.ts"

export interface ClientOptions {
  /** Connections at most. */
  readonly connections: number
  /** Shown in `pg_stat_activity`. */
  readonly name: string
  /** A commit answers before it is on disk; for what can be made again from the log. */
  readonly relaxedCommit?: boolean
  /** Called when a connection ends. */
  readonly onClosed?: () => void
  /** The end of the other side must be noticed within seconds: the connection holds locks, or all depends on it. */
  readonly isLasting?: boolean
  /** Milliseconds after which the server gives a statement up; default: never. */
  readonly statementLimit?: number
  /** Statements are planned once, for any values, rather than anew where the server thinks that it helps: for reads by key. */
  readonly plansOnce?: boolean
}

/** The server gives a session lock free within ten seconds of losing the machine that holds it. Milliseconds, seconds, seconds, probes. */
const keepalives = { tcp_user_timeout: 10_000, tcp_keepalives_idle: 3, tcp_keepalives_interval: 2, tcp_keepalives_count: 3 }

/** Seconds until the next attempt to connect: a server that is back is noticed at once. */
const backoff = (retries: number): number => Math.min(3 ** retries / 100, 0.5)

/** Connections that are made when needed, and kept: a session lock lives as long as its connection. Integers of 64 bits arrive as numbers. */
export const makeClient = (url: string, { connections, onClosed, ...options }: ClientOptions): Client => {
  const lane = (onLaneClosed: () => void): Client =>
    renewing((onConnectionClosed) =>
      connectionOf(url, options, () => {
        onConnectionClosed()
        onLaneClosed()
        onClosed?.()
      })
    )
  return connections === 1 ? lane(() => {}) : makePool(connections, lane)
}

type ConnectionOptions = Omit<ClientOptions, "connections" | "onClosed">

/** Below lie the ids of types that every server has. */
const firstOwnType = 16_384
const arrayOfText = 1009
/** The first client of this process. */
let first: Client | undefined

/** Without the question for types, `postgres` 3.4.9 forgets a connection that is to be held when that is the first it is asked for. */
const opened = (client: Client): Client => {
  let isOpen = false
  const open = async () => {
    if (!isOpen) await client.unsafe("select 1")
    isOpen = true
  }
  const { begin, reserve } = client
  const held: Pick<Client, "begin" | "reserve"> = {
    begin: async (...args: ReadonlyArray<unknown>) => {
      await open()
      return Reflect.apply(begin, client, args)
    },
    reserve: async () => {
      await open()
      return reserve()
    }
  }
  return Object.assign(client, held)
}

/**
 * A connection of `postgres` 3.4.9 begins by asking for the types of arrays. When it ends meanwhile, nobody can catch the error, which ends
 * the process. So only the first client asks; the others are told what it knows.
 */
const connectionOf = (url: string, options: ConnectionOptions, onclose: () => void): Client => {
  if (first === undefined || !(arrayOfText in first.options.parsers)) {
    const client = clientOf(url, options, onclose, true)
    first ??= client
    return client
  }
  const client = clientOf(url, options, onclose, false)
  for (const kind of ["parsers", "serializers"] as const) {
    for (const [id, convert] of Object.entries(first.options[kind])) {
      if (Number(id) < firstOwnType) client.options[kind][Number(id)] ??= convert
    }
  }
  return opened(client)
}

const clientOf = (url: string, options: ConnectionOptions, onclose: () => void, asksForTypes: boolean): Client =>
  postgres(url, {
    max: 1,
    fetch_types: asksForTypes,
    idle_timeout: 0,
    max_lifetime: null,
    backoff,
    onclose,
    onnotice: () => {},
    connection: {
      application_name: options.name,
      ...(options.isLasting === true ? keepalives : {}),
      ...(options.relaxedCommit === true ? { synchronous_commit: "off" } : {}),
      ...(options.plansOnce === true ? { plan_cache_mode: "force_generic_plan" } : {}),
      ...(options.statementLimit === undefined ? {} : { statement_timeout: options.statementLimit })
    },
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } }
  })
