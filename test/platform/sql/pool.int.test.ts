import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { makeClient } from "#src/platform/sql/client.ts"
import { retryTransient } from "#src/platform/sql/connection.ts"
import { attempt, type Client, query, transact, transaction } from "#src/platform/sql/Sql.ts"
import { freshDatabase } from "#test/support/database.ts"

const pool = Effect.flatMap(freshDatabase(), (url) =>
  Effect.acquireRelease(
    Effect.sync(() => makeClient(url, { connections: 3, name: "chronoforge tests" })),
    (client) => Effect.promise(() => client.end())
  )
)

const backendOf = (client: Pick<Client, "unsafe">) =>
  query(async () => {
    const [row] = await client.unsafe<Array<{ pid: number }>>("select pg_backend_pid() as pid")
    return row?.pid
  })

/** Backends of so many statements at the same time. */
const backendsOf = (client: Client, count: number) =>
  Effect.all(
    Array.from({ length: count }, () =>
      query(async () => {
        const [row] = await client<Array<{ pid: number }>>`select pg_backend_pid() as pid, pg_sleep(0.05)`
        return row?.pid
      })
    ),
    { concurrency: "unbounded" }
  )

const distinct = (values: ReadonlyArray<unknown>): number => new Set(values).size

it.live("gives statements that run at the same time connections of their own, as long as there are some", () =>
  Effect.gen(function* () {
    const client = yield* pool
    assert.deepStrictEqual(distinct(yield* backendsOf(client, 3)), 3)
    assert.deepStrictEqual(distinct(yield* backendsOf(client, 7)), 3)
  })
)

it.live("uses one connection where one suffices, also after statements that failed", () =>
  Effect.gen(function* () {
    const client = yield* pool
    const first = yield* backendOf(client)
    yield* backendsOf(client, 9)
    yield* Effect.all(
      Array.from({ length: 9 }, () => Effect.exit(query(() => client.unsafe("select nonsense")))),
      { concurrency: "unbounded" }
    )
    const later = yield* Effect.all([backendOf(client), backendOf(client), backendOf(client)])
    assert.deepStrictEqual(later, [first, first, first])
  })
)

it.live("forgets statements that were never sent, and sends those that were made of parts", () =>
  Effect.gen(function* () {
    const client = yield* pool
    const first = yield* backendOf(client)
    for (let index = 0; index < 5; index++) client`select 1`
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    assert.deepStrictEqual(yield* backendOf(client), first)
    const [row] = yield* query(() => client<Array<{ sum: number }>>`select ${client`1 + ${2}::int`} as sum where ${client`true`}`)
    assert.deepStrictEqual(row && { ...row }, { sum: 3 })
  })
)

it.live("sends nothing of others into a transaction, and uses its connection again afterwards", () =>
  Effect.gen(function* () {
    const client = yield* pool
    const first = yield* backendOf(client)
    const within = yield* transaction(client, (tx) => Effect.all([backendOf(tx), backendOf(client), backendOf(client)]))
    assert.deepStrictEqual(within[0], first)
    assert.notStrictEqual(within[1], first)
    assert.deepStrictEqual(within[2], within[1])
    const began = yield* query(() =>
      transact(client, async (tx) => (await tx<Array<{ pid: number }>>`select pg_backend_pid() as pid`)[0]?.pid)
    )
    assert.deepStrictEqual([began, yield* backendOf(client)], [first, first])
  })
)

it.live("lets a statement wait where all connections are in transactions", () =>
  Effect.gen(function* () {
    const client = yield* pool
    const waiting = yield* transaction(client, () =>
      transaction(client, () => transaction(client, () => Effect.forkDetach(backendOf(client))))
    )
    assert.isNumber(yield* Fiber.join(waiting))
  })
)

it.live("sends a statement made of parts past one that takes long", () =>
  Effect.gen(function* () {
    const client = yield* pool
    const slow = Effect.as(
      query(() => client`select pg_sleep(5)`),
      "slow"
    )
    const fast = Effect.as(
      query(() => client`select 1 where ${client`true`} ${client`and ${client`true`}`}`),
      "fast"
    )
    assert.strictEqual(yield* Effect.raceFirst(slow, fast), "fast")
  })
)

it.live("fails a transaction whose connection is lost, and goes on without it", () =>
  Effect.gen(function* () {
    const client = yield* pool
    const first = yield* backendOf(client)
    const lost = yield* Effect.exit(
      transaction(client, (tx) =>
        Effect.andThen(
          query(() => client.unsafe(`select pg_terminate_backend(${first})`)),
          // Until the end of the connection is noticed.
          Effect.forever(backendOf(tx))
        )
      )
    )
    assert.isTrue(Exit.isFailure(lost))
    // The first statement afterwards may still meet the end of the connection.
    const pid = attempt(() => client.unsafe<Array<{ pid: number }>>("select pg_backend_pid() as pid"))
    const [later] = yield* retryTransient(pid)
    assert.notDeepEqual(later?.pid, first)
    assert.deepStrictEqual([yield* backendOf(client), yield* backendOf(client)], [later?.pid, later?.pid])
  })
)

it.live("refuses a transaction on a connection that others share", () =>
  Effect.gen(function* () {
    const client = yield* pool
    assert.throws(() => client.unsafe("begin"), /needs a connection of its own/)
  })
)
