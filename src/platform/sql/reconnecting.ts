import type { Client, DriverClient, Reserved } from "./Sql.ts"

/** A client of the driver, which lives as long as its connection. */
interface ClientState {
  readonly client: DriverClient
  /** Functions that fail the statements in flight on reserved connections. */
  readonly inFlight: Set<(error: Error) => void>
  isClosed: boolean
  /** Whether the connection has answered a statement. */
  hasAnswered: boolean
  /** The texts with many variants that are prepared. Both sides keep them for as long as the connection lasts. */
  readonly prepared: Set<string>
}

/** A connection keeps so many variants prepared, each of which takes a few hundred kB of the server. */
const maxPrepared = 32
/** A connection that has no room for more of them is replaced by a new one; that is tried no more often than this. */
const minRenewalMillis = 10_000

const closed = (): Error =>
  Object.assign(new Error("the connection of the transaction was closed"), { code: "CONNECTION_CLOSED" })

/** Fails a statement when its connection ends: the driver forgets some that were sent while it ended. */
const rejectOnClose = (statement: unknown, { inFlight }: ClientState): unknown => {
  if (!(statement instanceof Promise)) return statement
  const { then }: { then: (...args: Array<unknown>) => unknown } = Object.getPrototypeOf(statement)
  const send = (...args: Parameters<Promise<unknown>["then"]>) =>
    new Promise((resolve, reject) => {
      inFlight.add(reject)
      const settle = (end: (value: unknown) => void) => (value: unknown) => {
        inFlight.delete(reject)
        end(value)
      }
      then.call(statement, settle(resolve), settle(reject))
    }).then(...args)
  // biome-ignore lint/suspicious/noThenProperty: it is a promise, which runs when it is awaited.
  return Object.assign(statement, { then: send })
}

/** Rejects statements after the connection closed: the driver would write to the closed socket, and nobody could catch the error. */
const rejectAfterClose = (reserved: Reserved, state: ClientState): Reserved => {
  const statement = (...args: ReadonlyArray<unknown>) =>
    state.isClosed && Array.isArray(args[0])
      ? Promise.reject(closed())
      : rejectOnClose(Reflect.apply(reserved, undefined, args), state)
  const unsafe = (...args: Parameters<Reserved["unsafe"]>) =>
    state.isClosed ? Promise.reject(closed()) : rejectOnClose(reserved.unsafe(...args), state)
  const release = () => {
    if (!state.isClosed) reserved.release()
  }
  return Object.assign(statement, reserved, { unsafe, release })
}

/** Milliseconds after which the driver has connected once more, or has given up: its `connect_timeout` is 30 seconds. */
const closeDelaysMillis = [1_000, 40_000]

/**
 * Ends a client whose connection ended. What still waits in it fails. For that the driver connects once more all the same, and nobody
 * would use or close what it opens.
 */
const discard = (client: DriverClient): void => {
  setImmediate(() => void client.end({ timeout: 0 }).catch(() => {}))
  // The types of the driver leave it out.
  const driverClose: unknown = Reflect.get(client, "close")
  const close = () => {
    if (typeof driverClose === "function") Promise.resolve(driverClose()).catch(() => {})
  }
  for (const delay of closeDelaysMillis) setTimeout(close, delay).unref()
}

/** Ends a client to which nothing more is given, once it has answered everything. */
const retire = ({ client }: ClientState): Promise<void> =>
  client
    .unsafe("select 1")
    .then(() => client.end())
    .catch(() => discard(client))

/**
 * A client with one connection that is replaced by a new client whenever its connection ends, or has no room for texts. A client of `postgres` 3.4.9 that lost
 * its connection in the middle of a write keeps the bytes and the timer of that write, so that it may never send anything again.
 * What was sent over a connection that ends fails; `connect` makes a client and calls `onClosed` when its connection ends.
 */
export const reconnecting = (connect: (onClosed: () => void) => DriverClient): Client => {
  let isEnded = false
  let isRenewing = false
  let lastRenewal = performance.now()
  let listener: DriverClient | undefined
  const open = (): ClientState => {
    const client = connect(() => {
      state.isClosed = true
      for (const fail of state.inFlight) fail(closed())
      state.inFlight.clear()
      if (isEnded || state !== current) return
      current = open()
      discard(client)
    })
    const state: ClientState = {
      client,
      inFlight: new Set(),
      isClosed: false,
      hasAnswered: false,
      prepared: new Set()
    }
    return state
  }
  let current = open()
  /** Replaces the connection by one where nothing is prepared, once that is there. */
  const renew = async (): Promise<void> => {
    const old = current
    if (isRenewing || performance.now() - lastRenewal < minRenewalMillis) return
    isRenewing = true
    lastRenewal = performance.now()
    const next = open()
    try {
      await next.client.unsafe("select 1")
      next.hasAnswered = true
      const isWanted = !isEnded && old === current
      if (isWanted) current = next
      await retire(isWanted ? old : next)
    } catch {
      // A later statement that finds no room tries it again.
      discard(next.client)
    } finally {
      isRenewing = false
    }
  }
  const variant: Client["variant"] = (text, values, repeated) => {
    const { client, prepared } = current
    const hasRoom = prepared.has(text) || prepared.size < maxPrepared
    if (repeated && hasRoom) prepared.add(text)
    else if (repeated) void renew()
    // The driver would send what has no values by the simple protocol, in which nothing is prepared.
    const options = { prepare: repeated && hasRoom, simple: false }
    return client.unsafe(text, [...values], options)
  }
  const end: Client["end"] = async (options) => {
    isEnded = true
    await Promise.all([current.client.end(options), listener?.end(options)])
  }
  // The listener has a connection of its own, which the driver reconnects.
  const listen: Client["listen"] = (...args) => {
    listener ??= connect(() => {})
    return listener.listen(...args)
  }
  const reserve: Client["reserve"] = async () => {
    const state = current
    // The driver forgets a connection that is to be reserved when that is the first it is asked for.
    if (!state.hasAnswered) await state.client.unsafe("select 1")
    state.hasAnswered = true
    if (state !== current) return reserve()
    const reserved = await state.client.reserve()
    if (state.isClosed) throw closed()
    return rejectAfterClose(reserved, state)
  }
  const overrides: ReadonlyMap<string | symbol, unknown> = new Map<string, unknown>(
    Object.entries({ end, listen, reserve, variant })
  )
  return new Proxy<Client>(Object.assign(current.client, { variant }), {
    apply: (_, self, args) => Reflect.apply(current.client, self, args),
    get: (_, name) => overrides.get(name) ?? Reflect.get(current.client, name)
  })
}
