import type { Client, Reserved } from "./Sql.ts"

/** One connection, and how much is under way on it. */
interface Lane {
  readonly client: Client
  pending: number
}

/** So much weighs a connection that a transaction holds: others go elsewhere while there is an elsewhere. */
const held = 1_000

/** Statements that count although they were not awaited yet. */
const waiting = new WeakMap<object, () => void>()

/** A part of a statement never runs by itself. */
const uncountParts = (values: ReadonlyArray<unknown>): void => {
  for (const value of values) {
    if (Array.isArray(value)) uncountParts(value)
    else if (value instanceof Promise) waiting.get(value)?.()
  }
}

/**
 * Counts a statement from when it is made until it settles. It runs when it is first awaited; one that is not by the end of the
 * turn was made for nothing.
 */
const counted = (lane: Lane, statement: unknown): unknown => {
  if (!(statement instanceof Promise)) return statement
  const { then }: { then: (...args: Array<unknown>) => unknown } = Object.getPrototypeOf(statement)
  let [isSent, isCounted] = [false, true]
  const done = () => {
    if (isCounted) lane.pending -= 1
    isCounted = false
  }
  const unlessSent = () => {
    if (!isSent) done()
  }
  lane.pending += 1
  waiting.set(statement, unlessSent)
  setImmediate(unlessSent)
  const send = (...args: Array<unknown>): unknown => {
    if (!isSent) {
      isSent = true
      then.call(statement, done, done)
    }
    return then.apply(statement, args)
  }
  // biome-ignore lint/suspicious/noThenProperty: it is a promise, which runs when it is awaited.
  return Object.assign(statement, { then: send })
}

const reserve = async (lane: Lane): Promise<Reserved> => {
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
  const lanes = clients.map((client): Lane => ({ client, pending: 0 }))
  const [first, ...others] = lanes
  if (first === undefined) throw new RangeError("a pool needs a connection")
  const freest = (): Lane => {
    let found = first
    for (const lane of others) {
      if (found.pending === 0) break
      if (lane.pending < found.pending) found = lane
    }
    return found
  }
  const methods = new Map<string | symbol, () => unknown>([
    [
      "unsafe",
      () => {
        const lane = freest()
        return (...args: Parameters<Client["unsafe"]>) => {
          refuseTransaction(args[0])
          return counted(lane, lane.client.unsafe(...args))
        }
      }
    ],
    ["reserve", () => () => reserve(freest())],
    ["end", () => (options?: { timeout?: number }) => Promise.all(lanes.map(({ client }) => client.end(options)))]
  ])
  return new Proxy(first.client, {
    apply: (_, self, args) => {
      uncountParts(args)
      const lane = freest()
      return counted(lane, Reflect.apply(lane.client, self, args))
    },
    get: (target, name) => {
      const method = methods.get(name)
      return method === undefined ? Reflect.get(target, name) : method()
    }
  })
}
