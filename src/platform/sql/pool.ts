import type { Client, Reserved } from "./Sql.ts"

/** A client with one connection, and the number of statements in flight on it. */
interface PooledClient {
  readonly client: Client
  pending: number
}

const pools = new Set<ReadonlyArray<PooledClient>>()

/** What the pools of this process do now: their connections, those with something to do, and the statements that are not answered yet. */
export const poolState = (): { readonly connections: number; readonly busy: number; readonly statements: number } => {
  const all = [...pools].flat()
  return {
    connections: all.length,
    busy: all.filter(({ pending }) => pending > 0).length,
    statements: all.reduce((sum, { pending }) => sum + (pending % reservedWeight), 0)
  }
}

/** A reserved connection counts as this many statements, so that others are used first. */
const reservedWeight = 1_000

/** The statements that count although they were not awaited yet. */
const unsentStatements = new WeakMap<object, () => void>()

/** Stops counting fragments of a statement, which never run by themselves. */
const uncountFragments = (values: ReadonlyArray<unknown>): void => {
  for (const value of values) {
    if (Array.isArray(value)) uncountFragments(value)
    else if (value instanceof Promise) unsentStatements.get(value)?.()
  }
}

/**
 * Counts a statement from when it is made until it settles. It runs when it is first awaited; one that is not by the end of the
 * turn was made for nothing.
 */
const countPending = (pooled: PooledClient, statement: unknown): unknown => {
  if (!(statement instanceof Promise)) return statement
  const { then }: { then: (...args: Array<unknown>) => unknown } = Object.getPrototypeOf(statement)
  let [isSent, isCounted] = [false, true]
  const uncount = () => {
    if (isCounted) pooled.pending -= 1
    isCounted = false
  }
  const uncountIfUnsent = () => {
    if (!isSent) uncount()
  }
  pooled.pending += 1
  unsentStatements.set(statement, uncountIfUnsent)
  setImmediate(uncountIfUnsent)
  const send = (...args: Array<unknown>): unknown => {
    if (!isSent) {
      isSent = true
      then.call(statement, uncount, uncount)
    }
    return then.apply(statement, args)
  }
  // biome-ignore lint/suspicious/noThenProperty: it is a promise, which runs when it is awaited.
  return Object.assign(statement, { then: send })
}

const reserve = async (pooled: PooledClient): Promise<Reserved> => {
  pooled.pending += reservedWeight
  const uncount = () => {
    pooled.pending -= reservedWeight
  }
  try {
    const reserved = await pooled.client.reserve()
    const { release } = reserved
    return Object.assign(reserved, {
      release: () => {
        uncount()
        release()
      }
    })
  } catch (error) {
    uncount()
    throw error
  }
}

const refuseTransaction = (text: string): void => {
  if (/^\s*(begin|start\s+transaction)\b/i.test(text))
    throw new Error("a transaction needs a connection of its own: use `transaction`")
}

/**
 * A pool made of clients with one connection each; a statement goes to the one with the least to do, and stays with it. The pool
 * of `postgres` itself is not used: its queues of connections grow with every statement for as long as one connection stays idle,
 * and each statement searches them, so that a service becomes slower with every day that it runs.
 */
export const makePool = (clients: ReadonlyArray<Client>): Client => {
  const pooled = clients.map((client): PooledClient => ({ client, pending: 0 }))
  pools.add(pooled)
  const [first, ...others] = pooled
  if (first === undefined) throw new RangeError("a pool needs a connection")
  const leastBusy = (): PooledClient => {
    let best = first
    for (const candidate of others) {
      if (best.pending === 0) break
      if (candidate.pending < best.pending) best = candidate
    }
    return best
  }
  const methods = new Map<string | symbol, () => unknown>([
    [
      "unsafe",
      () => {
        const candidate = leastBusy()
        return (...args: Parameters<Client["unsafe"]>) => {
          refuseTransaction(args[0])
          return countPending(candidate, candidate.client.unsafe(...args))
        }
      }
    ],
    [
      "variant",
      () => {
        const candidate = leastBusy()
        return (...args: Parameters<Client["variant"]>) => countPending(candidate, candidate.client.variant(...args))
      }
    ],
    ["reserve", () => () => reserve(leastBusy())],
    [
      "end",
      () => (options?: { timeout?: number }) => {
        pools.delete(pooled)
        return Promise.all(pooled.map(({ client }) => client.end(options)))
      }
    ]
  ])
  return new Proxy(first.client, {
    apply: (_, self, args) => {
      uncountFragments(args)
      const candidate = leastBusy()
      return countPending(candidate, Reflect.apply(candidate.client, self, args))
    },
    get: (target, name) => {
      const method = methods.get(name)
      return method === undefined ? Reflect.get(target, name) : method()
    }
  })
}
