import { Deferred, Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import { makeRefTurns } from "#src/git/refs/refTurns.ts"
import { onBehalfOf } from "#src/platform/work/CurrentWork.ts"
import { moveFromTip } from "#src/pushes/Pushes.ts"
import { useService } from "#test/support/service.ts"

const service = useService()

it("attempts to move one ref take turns by caller, and keep none that moves another one", async () => {
  const made: Array<string> = []
  const of = (caller: string, ref: string, during = Effect.void) =>
    moveFromTip(1, { ref }, (_, isLate) =>
      Effect.andThen(
        Effect.sync(() => made.push(`${caller} ${ref}${isLate ? " late" : ""}`)),
        during
      )
    ).pipe(onBehalfOf(caller), Effect.forkChild({ startImmediately: true }))
  const run = Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    const first = yield* of("ann", "main", Deferred.await(gate))
    const waiting = [yield* of("ann", "main"), yield* of("ann", "main"), yield* of("bob", "main")]
    yield* Fiber.join(yield* of("ann", "topic"))
    const dropped = yield* of("cleo", "main")
    yield* Fiber.interrupt(dropped)
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.joinAll([first, ...waiting])
  })
  await service.run(run)
  expect(made).toEqual(["ann main", "ann topic", "ann main late", "bob main late", "ann main late"])
})

it("whoever finds the queue full goes on without a turn", async () => {
  const { inRefTurn } = makeRefTurns({ concurrency: 1, maxQueued: 0, timeoutMillis: 60_000 })
  const repository = { path: "/nowhere.git" }
  const nested = inRefTurn(repository, "main", (isLate) =>
    Effect.map(
      inRefTurn(repository, "main", (isNestedLate) => Effect.succeed(isNestedLate)),
      (isNestedLate) => [isLate, isNestedLate]
    )
  )
  expect(await Effect.runPromise(nested)).toEqual([false, true])
})

it("a ref is calm once nobody has or wants a turn", async () => {
  const { inRefTurn, whenCalm } = makeRefTurns()
  const repository = { path: "/nowhere.git" }
  const made: Array<string> = []
  const note = (name: string) => Effect.sync(() => made.push(name))
  const run = Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    const fork = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })
    yield* whenCalm(repository, "main")
    const first = yield* fork(inRefTurn(repository, "main", () => Effect.andThen(Deferred.await(gate), note("first"))))
    const second = yield* fork(inRefTurn(repository, "main", () => note("second")))
    const calm = yield* fork(Effect.andThen(whenCalm(repository, "main"), note("calm")))
    const dropped = yield* fork(whenCalm(repository, "main"))
    yield* whenCalm(repository, "topic")
    yield* Fiber.interrupt(dropped)
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.joinAll([first, second, calm])
  })
  // Whoever is not told goes on after five seconds.
  await Effect.runPromise(Effect.timeout(run, "4 seconds"))
  expect(made).toEqual(["first", "second", "calm"])
})
