import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Queue } from "effect"
import { makeClient } from "#src/platform/sql/client.ts"
import { leadIn, openLeaderSession } from "#src/platform/sql/leadership.ts"
import { type Client, query, Sql } from "#src/platform/sql/Sql.ts"
import { databaseLayer } from "#test/support/database.ts"

const onDatabase = Effect.provide(Layer.fresh(databaseLayer))

const open = (name: string) => openLeaderSession({ name, frozenAfter: 5 })

/** Tells who begins to lead, and leads until its end is told. */
const telling =
  (began: Queue.Queue<string>, name: string, end: Effect.Effect<unknown> = Effect.never) =>
  (client: Client) =>
    Effect.gen(function* () {
      const [row] = yield* query(() => client<Array<{ session: string }>>`select current_setting('application_name') as session`)
      yield* Queue.offer(began, `${name} in ${row?.session}`)
      yield* end
    })

const holders = Effect.flatMap(Sql, ({ client }) =>
  query(
    () => client`
      select a.application_name as session, count(*)::int as locks, count(distinct pid)::int as connections
      from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and a.datname = current_database() and a.application_name like 'chronoforge-%'
      group by 1 order by 1`
  )
)

it.live("leaders hold their locks in one connection, and others have each of them when its leader is done", () =>
  Effect.gen(function* () {
    const [one, other] = [yield* open("one"), yield* open("other")]
    const began = yield* Queue.unbounded<string>()
    const end = yield* Deferred.make<void>()
    const failing = Effect.andThen(Deferred.await(end), Effect.die("an error of the work"))
    yield* Effect.forkScoped(leadIn(one, "a", telling(began, "a", failing)))
    yield* Effect.forkScoped(leadIn(one, "b", telling(began, "b")))
    const first = yield* Queue.takeN(began, 2)
    expect(first.toSorted()).toEqual(["a in chronoforge-one", "b in chronoforge-one"])
    expect(yield* holders).toEqual([{ session: "chronoforge-one", locks: 2, connections: 1 }])
    for (const name of ["a", "b"]) yield* Effect.forkScoped(leadIn(other, name, telling(began, name)))
    yield* Deferred.succeed(end, undefined)
    // The first one fails again whenever it has the lock before the other does.
    yield* Effect.repeat(Queue.take(began), { until: (text) => text === "a in chronoforge-other" })
    expect(yield* holders).toEqual([
      { session: "chronoforge-one", locks: 1, connections: 1 },
      { session: "chronoforge-other", locks: 1, connections: 1 }
    ])
  }).pipe(Effect.scoped, onDatabase)
)

it.live("who waits no more has nothing, and who leads no more gives the lock back", () =>
  Effect.gen(function* () {
    const [one, other] = [yield* open("one"), yield* open("other")]
    const began = yield* Queue.unbounded<string>()
    const leading = yield* Effect.forkScoped(leadIn(one, "a", telling(began, "a")))
    yield* Queue.take(began)
    const waiting = yield* Effect.forkScoped(leadIn(other, "a", telling(began, "a")))
    yield* Effect.yieldNow
    yield* Fiber.interrupt(waiting)
    yield* Fiber.interrupt(leading)
    yield* holders.pipe(Effect.repeat({ until: (rows) => rows.length === 0 }))
    yield* Effect.forkScoped(leadIn(other, "a", telling(began, "a")))
    expect(yield* Queue.take(began)).toBe("a in chronoforge-other")
  }).pipe(Effect.scoped, onDatabase)
)

it.live("a process that stands still loses what it leads, also what is led in the same connection", () =>
  Effect.gen(function* () {
    const { url } = yield* Sql
    const frozen = makeClient(url, { connections: 1, name: "frozen" })
    const lock = (name: string) => frozen`select pg_advisory_lock(hashtext(${`chronoforge.${name}`}))`
    for (const name of ["a", "b"]) yield* query(() => lock(name))
    const session = yield* open("one")
    const began = yield* Queue.unbounded<string>()
    for (const name of ["a", "b"]) yield* Effect.forkScoped(leadIn(session, name, telling(began, name)))
    const both = yield* Effect.timeout(Queue.takeN(began, 2), "15 seconds")
    expect(both.toSorted()).toEqual(["a in chronoforge-one", "b in chronoforge-one"])
    yield* Effect.promise(() => frozen.end({ timeout: 0 }))
  }).pipe(Effect.scoped, onDatabase)
)

it.live("what is led ends with the connection, and begins again in the next one", () =>
  Effect.gen(function* () {
    const { client } = yield* Sql
    const session = yield* open("one")
    const began = yield* Queue.unbounded<string>()
    const ended = yield* Queue.unbounded<string>()
    const work = (name: string) => (own: Client) => Effect.onInterrupt(telling(began, name)(own), () => Queue.offer(ended, name))
    for (const name of ["a", "b"]) yield* Effect.forkScoped(leadIn(session, name, work(name)))
    yield* Queue.takeN(began, 2)
    yield* query(
      () => client`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'chronoforge-one'`
    )
    expect((yield* Queue.takeN(ended, 2)).toSorted()).toEqual(["a", "b"])
    expect((yield* Queue.takeN(began, 2)).toSorted()).toEqual(["a in chronoforge-one", "b in chronoforge-one"])
    expect(yield* holders).toEqual([{ session: "chronoforge-one", locks: 2, connections: 1 }])
  }).pipe(Effect.scoped, onDatabase)
)
