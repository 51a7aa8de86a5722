import { Deferred, Effect, Fiber } from "effect"
import { describe, expect, it, vi } from "vitest"
import { FairQueue, type FairQueueOptions, TooBusy } from "#src/platform/work/FairQueue.ts"

const nextTurn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

const turn = (caller: string, subject = caller) => ({ caller, subject })
const options = { concurrency: 1, maxQueued: 10, timeoutMillis: 10_000 }

/** Enters by these keys while one is inside, and answers the order in which they get in. */
const orderOf = (keys: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const turnstile = new FairQueue(options)
    const order: Array<string> = []
    const gate = yield* Deferred.make<void>()
    const first = yield* Effect.forkChild(turnstile.run(turn("first"), Deferred.await(gate)))
    yield* Effect.yieldNow
    const others = yield* Effect.forEach(keys, (key) =>
      Effect.forkChild(
        turnstile.run(
          turn(key.slice(0, 1)),
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
      yield* Effect.forkChild(turnstile.run(turn("a"), Effect.never))
      yield* Effect.yieldNow
      const waiting = yield* Effect.forkChild(Effect.flip(turnstile.run(turn("a"), Effect.void)))
      yield* Effect.yieldNow
      const refused = yield* Effect.flip(turnstile.run(turn("b"), Effect.void))
      return [refused, yield* Fiber.join(waiting), turnstile.queued]
    })
    expect(await Effect.runPromise(program)).toEqual([new TooBusy(), new TooBusy(), 0])
  })

  it("turns away who fills the queue alone, and nobody else", async () => {
    const program = Effect.gen(function* () {
      const turnstile = new FairQueue({ ...options, maxQueuedPerCaller: 2 })
      const enter = (caller: string) =>
        Effect.tap(Effect.forkChild(turnstile.run(turn(caller), Effect.never)), () => Effect.yieldNow)
      yield* Effect.forEach(["a", "a", "a"], enter)
      const refused = yield* Effect.flip(turnstile.run(turn("a"), Effect.void))
      yield* enter("b")
      return [refused, turnstile.running, turnstile.queued]
    })
    expect(await Effect.runPromise(program)).toEqual([new TooBusy(), 1, 3])
  })

  it("gives the place back of who is interrupted, inside or in the queue", async () => {
    const program = Effect.gen(function* () {
      const turnstile = new FairQueue(options)
      const inside = yield* Effect.forkChild(turnstile.run(turn("a"), Effect.never))
      yield* Effect.yieldNow
      const queued = yield* Effect.forkChild(turnstile.run(turn("b"), Effect.never))
      yield* Effect.yieldNow
      const before = [turnstile.running, turnstile.queued]
      yield* Fiber.interrupt(queued)
      yield* Fiber.interrupt(inside)
      return [before, [turnstile.running, turnstile.queued], yield* turnstile.run(turn("c"), Effect.succeed("in"))]
    })
    expect(await Effect.runPromise(program)).toEqual([[1, 1], [0, 0], "in"])
  })

  /** Enters with a caller and a subject each, in this order, and answers who is inside, before and after some have left. */
  const inside = (shares: Partial<FairQueueOptions>, turns: ReadonlyArray<string>, leaving: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const turnstile = new FairQueue({ ...options, ...shares })
      const entered = new Set<string>()
      const fibers = new Map<string, Fiber.Fiber<void, TooBusy>>()
      for (const name of turns) {
        const [caller = "", subject = ""] = name
        const stay = Effect.acquireUseRelease(
          Effect.sync(() => entered.add(name)),
          () => Effect.never,
          () => Effect.sync(() => entered.delete(name))
        )
        fibers.set(name, yield* Effect.forkChild(turnstile.run({ caller, subject }, stay)))
        yield* Effect.yieldNow
      }
      const before = [...entered]
      for (const name of leaving) {
        const fiber = fibers.get(name)
        if (fiber !== undefined) yield* Fiber.interrupt(fiber)
        yield* Effect.yieldNow
      }
      const after = [...entered]
      yield* Effect.forEach(fibers.values(), (fiber) => Fiber.interrupt(fiber))
      return [before, after, turnstile.running, turnstile.queued]
    }).pipe(Effect.runPromise)

  it("leaves places to others than one caller", async () => {
    expect(await inside({ concurrency: 3, perCaller: 2 }, ["ax1", "ay2", "az3", "bx4", "cx5"], ["bx4", "ax1"])).toEqual([
      ["ax1", "ay2", "bx4"],
      ["ay2", "cx5", "az3"],
      0,
      0
    ])
  })

  it("leaves places to others than one subject, in turns of the callers", async () => {
    expect(await inside({ concurrency: 3, perSubject: 2 }, ["ax1", "bx2", "cx3", "dx4", "ey5", "fy6"], ["ax1", "ey5"])).toEqual([
      ["ax1", "bx2", "ey5"],
      ["bx2", "cx3", "fy6"],
      0,
      0
    ])
  })

  it.each([
    [{ concurrency: 4 }, 2],
    [{ concurrency: 4, perCaller: 2 }, 1],
    [{ concurrency: 4, perSubject: 3 }, 2],
    [{ concurrency: 4, perCaller: 2, perSubject: 1 }, 0],
    [{ concurrency: 2 }, 0]
  ])("tells how many could begin where places are %j: %i", async (places, room) => {
    const queue = new FairQueue({ ...options, ...places })
    const told = Effect.sync(() => queue.room(turn("a", "y")))
    expect(await Effect.runPromise(queue.run(turn("a", "x"), queue.run(turn("b", "y"), told)))).toBe(room)
  })

  it("whose places become free in the next turn has as many short effects in each as there are places for their caller", async () => {
    const program = Effect.gen(function* () {
      const queue = new FairQueue({ ...options, concurrency: 10, perCaller: 2, isFreedNextTurn: true })
      const began: Array<string> = []
      const enter = (name: string) =>
        Effect.forkChild(
          queue.run(
            turn(name.slice(0, 1)),
            Effect.sync(() => began.push(name))
          ),
          { startImmediately: true }
        )
      const perTurn: Array<ReadonlyArray<string>> = []
      const fibers = yield* Effect.forEach(["a1", "a2", "a3", "a4", "a5", "b1"], enter)
      while (began.length > 0) {
        perTurn.push(began.splice(0))
        yield* nextTurn
      }
      yield* Effect.forEach(fibers, Fiber.join)
      return [perTurn, queue.running, queue.queued]
    })
    expect(await Effect.runPromise(program)).toEqual([[["a1", "a2", "b1"], ["a3", "a4"], ["a5"]], 0, 0])
  })

  it.each([
    { times: 0, millisPerTurn: 0, turns: 1 },
    { times: 3, millisPerTurn: 0, turns: 4 },
    { times: Number.POSITIVE_INFINITY, millisPerTurn: 0, turns: 65 },
    { times: Number.POSITIVE_INFINITY, millisPerTurn: 8, turns: 4 }
  ])(
    "frees a place later where it is put off $times times, but not for ever: after $turns turns of $millisPerTurn ms",
    async ({ millisPerTurn, times, turns }) => {
      let millis = 0
      const clock = vi.spyOn(performance, "now").mockImplementation(() => millis)
      const program = Effect.gen(function* () {
        let asked = 0
        const isPutOff = () => {
          millis += millisPerTurn
          return asked++ < times
        }
        const queue = new FairQueue({ ...options, isFreedNextTurn: true, isPutOff })
        yield* queue.run(turn("a"), Effect.void)
        const next = yield* Effect.forkChild(queue.run(turn("b"), Effect.void), { startImmediately: true })
        let waited = 0
        for (; queue.queued > 0; waited++) yield* nextTurn
        yield* Fiber.join(next)
        return waited
      })
      const waited = await Effect.runPromise(program).finally(() => clock.mockRestore())
      expect(waited).toBe(turns)
    }
  )

  it("lets nobody wait who could run", async () => {
    expect(await inside({ concurrency: 2, perCaller: 1 }, ["ax1", "ax2", "by3"], [])).toEqual([
      ["ax1", "by3"],
      ["ax1", "by3"],
      0,
      0
    ])
  })
})
