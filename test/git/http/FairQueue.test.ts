import { Deferred, Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { FairQueue, TooBusy } from "#src/git/http/FairQueue.ts"

const options = { concurrency: 1, maxQueued: 10, timeoutMillis: 10_000 }

/** Enters by these keys while one is inside, and answers the order in which they get in. */
const orderOf = (keys: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const turnstile = new FairQueue(options)
    const order: Array<string> = []
    const gate = yield* Deferred.make<void>()
    const first = yield* Effect.forkChild(turnstile.run("first", Deferred.await(gate)))
    yield* Effect.yieldNow
    const others = yield* Effect.forEach(keys, (key) =>
      Effect.forkChild(
        turnstile.run(
          key.slice(0, 1),
          Effect.andThen(
            Effect.sync(() => order.push(key)),
            Effect.yieldNow
          )
        )
      ).pipe(Effect.tap(() => Effect.yieldNow))
    )
    expect([turnstile.running, turnstile.queued, others.length]).toEqual([1, keys.length, keys.length])
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.join(first)
    yield* Effect.forEach(others, Fiber.join)
    expect([turnstile.running, turnstile.queued]).toEqual([0, 0])
    return order
  }).pipe(Effect.runPromise)

describe("a turnstile", () => {
  it("lets keys take turns", async () => {
    expect(await orderOf(["a1", "a2", "a3", "b1", "c1", "b2"])).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"])
  })

  it("turns away who finds the queue full, or waits too long", async () => {
    const program = Effect.gen(function* () {
      const turnstile = new FairQueue({ concurrency: 1, maxQueued: 1, timeoutMillis: 30 })
      yield* Effect.forkChild(turnstile.run("a", Effect.never))
      yield* Effect.yieldNow
      const waiting = yield* Effect.forkChild(Effect.flip(turnstile.run("a", Effect.void)))
      yield* Effect.yieldNow
      const refused = yield* Effect.flip(turnstile.run("b", Effect.void))
      return [refused, yield* Fiber.join(waiting), turnstile.queued]
    })
    expect(await Effect.runPromise(program)).toEqual([new TooBusy(), new TooBusy(), 0])
  })

  it("gives the place back of who is interrupted, inside or in the queue", async () => {
    const program = Effect.gen(function* () {
      const turnstile = new FairQueue(options)
      const inside = yield* Effect.forkChild(turnstile.run("a", Effect.never))
      yield* Effect.yieldNow
      const queued = yield* Effect.forkChild(turnstile.run("b", Effect.never))
      yield* Effect.yieldNow
      const before = [turnstile.running, turnstile.queued]
      yield* Fiber.interrupt(queued)
      yield* Fiber.interrupt(inside)
      return [before, [turnstile.running, turnstile.queued], yield* turnstile.run("c", Effect.succeed("in"))]
    })
    expect(await Effect.runPromise(program)).toEqual([[1, 1], [0, 0], "in"])
  })
})
