import { it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { afterEach, expect, vi } from "vitest"
import { makeClient } from "#src/platform/sql/client.ts"
import { raw, select, sql } from "#src/platform/sql/fragment.ts"
import { type Client, query, transaction } from "#src/platform/sql/Sql.ts"
import { freshDatabase } from "#test/support/database.ts"

afterEach(() => {
  vi.useRealTimers()
})

const connectionTo = (url: string, name: string) =>
  Effect.acquireRelease(
    Effect.sync(() => makeClient(url, { connections: 1, name })),
    (client) => Effect.promise(() => client.end())
  )

/** `kind` is a part of the text, the limit is not. */
const numbers = (client: Client, kind: number, limit: number) => {
  const filter = sql`where n < ${limit} and n <> all(${[1, 2]}::int[]) ${raw(`and n <> ${-1 - kind}`)}`
  return Effect.map(select<{ n: number }>(client, sql`select n from generate_series(0, ${9}::int) n ${filter}`), (rows) =>
    rows.map(({ n }) => n)
  )
}

/** The kinds of which the server keeps the text. */
const keptKinds = (client: Client) =>
  query(async () => {
    const rows = await client<Array<{ kind: number }>>`
      select (regexp_match(statement, 'n <> -(\\d+)'))[1]::int - 1 as kind
      from pg_prepared_statements where statement like 'select n from%' order by 1`
    return rows.map(({ kind }) => kind)
  })

const backendOf = (client: Pick<Client, "unsafe">) =>
  query(async () => (await client.unsafe<Array<{ pid: number }>>("select pg_backend_pid() as pid"))[0]?.pid)

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

/** Asks for each of the kinds twice. */
const askTwice = Effect.fnUntraced(function* (client: Client, kinds: ReadonlyArray<number>) {
  for (const kind of kinds) {
    expect(yield* numbers(client, kind, 3)).toEqual([0])
    expect(yield* numbers(client, kind, 5)).toEqual([0, 3, 4])
  }
})

it.live("of statements with many texts the server keeps those that came again, as many as there is room for", () =>
  Effect.gen(function* () {
    const client = yield* connectionTo(yield* freshDatabase(), "test")
    expect(yield* numbers(client, 0, 3)).toEqual([0])
    expect(yield* keptKinds(client)).toEqual([])
    yield* askTwice(client, range(1, 41))
    expect(yield* keptKinds(client)).toEqual(range(1, 33))
  }).pipe(Effect.scoped)
)

it.live("a statement that came before hundreds of others is not forgotten", () =>
  Effect.gen(function* () {
    const client = yield* connectionTo(yield* freshDatabase(), "test")
    yield* numbers(client, 1_000, 3)
    for (const kind of range(1_001, 1_500)) yield* numbers(client, kind, 3)
    yield* numbers(client, 1_000, 5)
    expect(yield* keptKinds(client)).toEqual([1_000])
  }).pipe(Effect.scoped)
)

it.live("a connection that has no room for more texts is replaced, and loses nothing that it does", () =>
  Effect.gen(function* () {
    vi.useFakeTimers({ toFake: ["performance"] })
    const url = yield* freshDatabase()
    const client = yield* connectionTo(url, "test")
    const first = yield* backendOf(client)
    yield* askTwice(client, range(100, 140))
    expect(yield* backendOf(client)).toBe(first)
    vi.advanceTimersByTime(10_000)
    const other = yield* connectionTo(url, "other")
    const backends = query(async () => {
      const rows = await other<Array<{ pid: number }>>`select pid from pg_stat_activity where application_name = 'test'`
      return rows.map(({ pid }) => pid)
    })
    const waiting = yield* transaction(client, (tx) =>
      Effect.gen(function* () {
        yield* query(() => tx`create table kept (n int)`)
        // The first of them finds no room, and waits behind the transaction.
        const waiting = yield* Effect.forkScoped(askTwice(client, range(132, 140)))
        yield* backends.pipe(Effect.repeat({ until: ({ length }) => length === 2 }))
        expect(yield* backendOf(tx)).toBe(first)
        yield* query(() => tx`insert into kept values (1)`)
        return waiting
      })
    )
    yield* Fiber.join(waiting)
    const second = yield* backendOf(client).pipe(Effect.repeat({ until: (pid) => pid !== first }))
    yield* askTwice(client, range(132, 140))
    expect(yield* keptKinds(client)).toEqual(range(132, 140))
    expect(yield* query(() => client.unsafe("select n from kept"))).toEqual([{ n: 1 }])
    expect(yield* backends.pipe(Effect.repeat({ until: ({ length }) => length === 1 }))).toEqual([second])
  }).pipe(Effect.scoped)
)
