import { Effect } from "effect"
import { type Client, SqlError } from "./Sql.ts"

/**
 * A lookup fails after this many milliseconds, so that callers do not wait longer while there is no connection. The last of them begin when the
 * others are told to be over: after a halt, timers go off before the answers are read that have arrived meanwhile.
 */
const [firstMillis, lastMillis] = [7_000, 1_000]
const timedOut = Object.assign(new Error("the database does not answer"), { code: "CONNECT_TIMEOUT" })

type Resume<Found> = (found: Effect.Effect<Found, SqlError>) => void
/** Who waits for the keys of a statement. */
export type Waiting<Key, Found> = Map<Key, Array<Resume<Found>>>

/**
 * Gathers the keys that are asked for in one turn of the event loop, each once: so the busier the service is, the less a lookup costs.
 * Where `maxInFlight` statements are on their way, keys gather until one of them is answered. The statement is sent after everybody has
 * asked, so nobody is told what was true before. Its failure is that of all who wait for it then.
 */
export const gather = <Key, Found>(
  find: (waiting: Waiting<Key, Found>, keys: Array<Key>) => PromiseLike<unknown>,
  maxInFlight = Number.POSITIVE_INFINITY
): ((key: Key) => Effect.Effect<Found, SqlError>) => {
  let pending: Waiting<Key, Found> = new Map()
  let since = 0
  let inFlight = 0
  let isScheduled = false

  const send = (): void => {
    const waiting = pending
    pending = new Map()
    isScheduled = false
    inFlight += 1
    const late = Promise.withResolvers<never>()
    const expire = () => {
      timer = setTimeout(() => late.reject(timedOut), lastMillis)
    }
    let timer = setTimeout(expire, firstMillis - (performance.now() - since))
    const found = Promise.resolve([...waiting.keys()]).then((keys) => find(waiting, keys))
    Promise.race([found, late.promise])
      .catch((cause) => answer(waiting, Effect.fail(new SqlError({ cause }))))
      .finally(() => {
        clearTimeout(timer)
        inFlight -= 1
        schedule()
      })
  }
  // The batch is sent at the end of the turn, after all requests that the sockets held were read.
  const schedule = (): void => {
    if (isScheduled || pending.size === 0 || inFlight >= maxInFlight) return
    isScheduled = true
    setImmediate(send)
  }
  return (key) =>
    Effect.callback((resume) => {
      const waiters = pending.get(key)
      if (waiters !== undefined) {
        waiters.push(resume)
        return
      }
      if (pending.size === 0) since = performance.now()
      pending.set(key, [resume])
      schedule()
    })
}

/** Tells all who still wait. */
const answer = <Key, Found>(waiting: Waiting<Key, Found>, found: Effect.Effect<Found, SqlError>): void => {
  for (const resume of [...waiting.values()].flat()) resume(found)
  waiting.clear()
}

/** Finds the rows of a key. `read` answers with the rows of these keys. */
export const lookupAll = <Key extends string | number, Row extends object>(
  read: (keys: Array<Key>) => PromiseLike<ReadonlyArray<Row>>,
  keyOf: (row: Row) => Key
): ((key: Key) => Effect.Effect<ReadonlyArray<Row>, SqlError>) =>
  gather<Key, ReadonlyArray<Row>>(async (waiting, keys) => {
    const found = Map.groupBy(await read(keys), keyOf)
    for (const [key, resumes] of waiting) for (const resume of resumes) resume(Effect.succeed(found.get(key) ?? []))
  })

/**
 * Finds the one row of a key, or none. `read` gives the rows of these keys to `onRow` as they arrive, so that the server goes on while
 * the first are presented. A failure is a defect.
 */
export const lookup = <Key extends string | number, Row extends object>(
  read: (keys: Array<Key>, onRow: (row: Row) => void) => PromiseLike<unknown>,
  keyOf: (row: Row) => Key
): ((key: Key) => Effect.Effect<Row | undefined>) => {
  const find = gather<Key, Row | undefined>(async (waiting, keys) => {
    await read(keys, (row) => {
      const found = Effect.succeed(row)
      for (const resume of waiting.get(keyOf(row)) ?? []) resume(found)
      waiting.delete(keyOf(row))
    })
    answer(waiting, Effect.undefined)
  })
  return (key) => Effect.orDie(find(key))
}

/** `lookup` by the column `id`. `text` selects the rows whose id is in the array `$1`. */
export const lookupById = <Row extends { readonly id: number }>(client: Client, text: string) =>
  lookup(
    (ids: Array<number>, onRow: (row: Row) => void) => client.unsafe<Array<Row>>(text, [ids], { prepare: true }).forEach(onRow),
    ({ id }) => id
  )
