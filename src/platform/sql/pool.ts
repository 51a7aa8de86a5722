import type postgres from "postgres"
import type { Client } from "./Sql.ts"

/** One connection, and how much is under way on it. */
interface Lane {
  readonly client: Client
  pending: number
}

/** So much weighs a connection that a transaction holds: others go elsewhere while there is an elsewhere. */
const held = 1_000

/**
 * Counts a query from when it is made until it settles. It is sent when it is first awaited; one that is not by the end of the
 * turn is taken for a part of another one.
 */
const counted = (lane: Lane, query: unknown): unknown => {
  if (!(query instanceof Promise)) return query
  const { then }: { then: (...args: Array<unknown>) => unknown } = Object.getPrototypeOf(query)
  let [isSent, isCounted] = [false, true]
  const done = () => {
    if (isCounted) lane.pending -= 1
    isCounted = false
  }
  lane.pending += 1
  setImmediate(() => {
    if (!isSent) done()
  })
  const send = (...args: Array<unknown>): unknown => {
    if (!isSent) {
      isSent = true
      then.call(query, done, done)
    }
    return then.apply(query, args)
  }
  // biome-ignore lint/suspicious/noThenProperty: it is a promise, which runs when it is awaited.
  return Object.assign(query, { then: send })
}

const reserve = (lane: Lane) => async (): Promise<postgres.ReservedSql<{ bigint: number }>> => {
  lane.pending += held
  const free = () => {
    lane.pending -= held
  }
  try {
    const reserved = await lane.client.reserve()
    const { release } = reserved
    return Object.assign(reserved, {
      release: () => {
        free()
        release()
      }
    })
  } catch (error) {
    free()
    throw error
  }
}

const begin =
  (lane: Lane): Client["begin"] =>
  (...args: Array<unknown>) => {
    lane.pending += held
    const transaction: ReturnType<Client["begin"]> = Reflect.apply(lane.client.begin, lane.client, args)
    const done = () => {
      lane.pending -= held
    }
    transaction.then(done, done)
    return transaction
  }

/**
 * A pool made of clients with one connection each; a statement goes to the one with the least to do. The pool of `postgres`
 * itself is not used: its queues of connections grow with every statement for as long as one connection stays idle, and each
 * statement searches them, so that a service becomes slower with every day that it runs.
 */
export const makePool = (clients: ReadonlyArray<Client>): Client => {
  const [first, ...others] = clients.map((client): Lane => ({ client, pending: 0 }))
  if (first === undefined) throw new RangeError("a pool needs a connection")
  const freest = (): Lane => {
    let found = first
    for (const lane of others) {
      if (found.pending === 0) break
      if (lane.pending < found.pending) found = lane
    }
    return found
  }
  const methods: Readonly<Record<string | symbol, () => unknown>> = {
    unsafe: () => {
      const lane = freest()
      return (...args: Parameters<Client["unsafe"]>) => counted(lane, lane.client.unsafe(...args))
    },
    reserve: () => reserve(freest()),
    begin: () => begin(freest()),
    end: () => (options?: { timeout?: number }) => Promise.all(clients.map((client) => client.end(options)))
  }
  return new Proxy(first.client, {
    apply: (_, self, args) => {
      const lane = freest()
      return counted(lane, Reflect.apply(lane.client, self, args))
    },
    get: (target, name) => methods[name]?.() ?? Reflect.get(target, name)
  })
}
