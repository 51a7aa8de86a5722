import { Effect } from "effect"
import { type Client, SqlError } from "./Sql.ts"

/** A lookup fails after this many milliseconds, so that callers do not wait longer while there is no connection. */
const timeoutMillis = 8_000
const timedOut = Object.assign(new Error("the database does not answer"), { code: "CONNECT_TIMEOUT" })

type Resume<Row> = (found: Effect.Effect<Row | undefined>) => void

/**
 * Finds rows by key. `read` gets the keys that were asked for in one turn of the event loop, each once, and answers with their
 * rows, those that there are: so the busier the service is, the less a lookup costs. The statement is sent after everybody has
 * asked, so nobody is told what was true before. Its failure is a defect of all who asked.
 */
export const lookup = <Key extends string | number, Row extends object>(
  read: (keys: Array<Key>) => PromiseLike<ReadonlyArray<Row>>,
  keyOf: (row: Row) => Key
): ((key: Key) => Effect.Effect<Row | undefined>) => {
  let pending = new Map<Key, Array<Resume<Row>>>()

  const answer = (batch: ReadonlyMap<Key, ReadonlyArray<Resume<Row>>>, rows: ReadonlyArray<Row>) => {
    const found = new Map(rows.map((row) => [keyOf(row), row]))
    for (const [key, resumes] of batch) {
      const row = Effect.succeed(found.get(key))
      for (const resume of resumes) resume(row)
    }
  }
  const send = (): void => {
    const batch = pending
    pending = new Map()
    const fail = (cause: unknown) => {
      const defect = Effect.die(new SqlError({ cause }))
      for (const resume of [...batch.values()].flat()) resume(defect)
    }
    const timer = setTimeout(() => fail(timedOut), timeoutMillis)
    Promise.resolve([...batch.keys()])
      .then(read)
      .then((rows) => answer(batch, rows))
      .catch(fail)
      .finally(() => clearTimeout(timer))
  }
  return (key) =>
    Effect.callback((resume) => {
      const waiters = pending.get(key)
      if (waiters !== undefined) {
        waiters.push(resume)
        return
      }
      // The batch is sent at the end of the turn, after all requests that the sockets held were read.
      if (pending.size === 0) setImmediate(send)
      pending.set(key, [resume])
    })
}

/** `lookup` by the column `id`. `text` selects the rows whose id is in the array `$1`. */
export const lookupById = <Row extends { readonly id: number }>(client: Client, text: string) =>
  lookup(
    (ids: Array<number>) => client.unsafe<Array<Row>>(text, [ids], { prepare: true }),
    ({ id }) => id
  )
