import type { Client } from "./Sql.ts"

/**
 * A client with one connection that is replaced by a new client whenever its connection ends. A client of `postgres` 3.4.9 that lost
 * its connection in the middle of a write keeps the bytes and the timer of that write, so that it may never send anything again.
 * What was sent over a connection that ends fails; `connect` makes a client and calls `onClosed` when its connection ends.
 */
export const renewing = (connect: (onClosed: () => void) => Client): Client => {
  let isEnded = false
  let listener: Client | undefined
  const make = (): Client => {
    const client = connect(() => {
      if (isEnded || client !== current) return
      current = make()
      // What still waits in the old one must not wait for ever.
      setImmediate(() => void client.end({ timeout: 0 }).catch(() => {}))
    })
    return client
  }
  let current = make()
  const end: Client["end"] = async (options) => {
    isEnded = true
    await Promise.all([current.end(options), listener?.end(options)])
  }
  // It has a connection of its own, which it renews itself.
  const listen: Client["listen"] = (...args) => {
    listener ??= connect(() => {})
    return listener.listen(...args)
  }
  const own: Readonly<Partial<Client>> = { end, listen }
  return new Proxy(current, {
    apply: (_, self, args) => Reflect.apply(current, self, args),
    get: (_, name) => (name === "end" || name === "listen" ? own[name] : Reflect.get(current, name))
  })
}
