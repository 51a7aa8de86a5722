import { expect, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { processLock, TooManyWaiting } from "#src/platform/processLock.ts"
import { advisoryLocks } from "#src/platform/sql/advisoryLocks.ts"
import { makeClient } from "#src/platform/sql/client.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { databaseLayer } from "#test/support/database.ts"

const onDatabase = Effect.provide(Layer.fresh(databaseLayer))

it.live("a holder that sends nothing, as one that stands still, loses its lock", () =>
  Effect.gen(function* () {
    const { url } = yield* Sql
    const frozen = makeClient(url, { connections: 1, name: "frozen" })
    yield* query(() => frozen`select pg_advisory_lock(hashtextextended('thing', 0))`)
    const { withLock } = yield* advisoryLocks("waiting")
    expect(yield* Effect.timeout(withLock("thing", Effect.succeed("done")), "15 seconds")).toBe("done")
    yield* Effect.promise(() => frozen.end({ timeout: 0 }))
  }).pipe(Effect.scoped, onDatabase)
)

it.live("a holder that lives keeps it, however long its work takes", () =>
  Effect.gen(function* () {
    const [first, second] = [yield* advisoryLocks("first"), yield* advisoryLocks("second")]
    const order: Array<string> = []
    const note = (text: string) => Effect.sync(() => order.push(text))
    // Longer than a holder may be silent.
    const work = Effect.andThen(note("first begins"), Effect.sleep("8 seconds")).pipe(Effect.andThen(note("first ends")))
    const running = yield* Effect.forkChild(first.withLock("thing", work))
    while (order.length === 0) yield* Effect.sleep("10 millis")
    yield* second.withLock("thing", note("second"))
    yield* Fiber.join(running)
    expect([order, yield* first.losses]).toEqual([["first begins", "first ends", "second"], 0])
  }).pipe(Effect.scoped, onDatabase)
)

it.live("who waits too long for a lock over all processes is told so, and the next one has it", () =>
  Effect.gen(function* () {
    const { withLock } = yield* processLock("crowd", "crowded")
    const end = yield* Deferred.make<void>()
    const holding = yield* Effect.forkChild(withLock(Deferred.await(end)), { startImmediately: true })
    const refused = yield* Effect.exit(withLock(Effect.succeed("too late")))
    expect(Exit.isFailure(refused) && Cause.squash(refused.cause)).toBeInstanceOf(TooManyWaiting)
    yield* Deferred.succeed(end, undefined)
    yield* Fiber.join(holding)
    expect(yield* withLock(Effect.succeed("in time"))).toBe("in time")
  }).pipe(Effect.scoped, onDatabase)
)
