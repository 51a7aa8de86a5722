import { Deferred, Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { makeSharedCounts } from "#src/git/contributors/sharedCounts.ts"
import { onBehalfOf } from "#src/platform/work/CurrentWork.ts"
import type { TooBusy } from "#src/platform/work/FairQueue.ts"
import { inRequestPlace, leaveRequestPlace, makeRequestPlaces, RequestPlaces } from "#src/platform/work/RequestPlaces.ts"
import { inPlace } from "#src/platform/work/WorkPlaces.ts"

const begin = <A, E>(effect: Effect.Effect<A, E>) => Effect.tap(Effect.forkChild(effect), () => Effect.yieldNow)

/** Begins four requests of as many addresses where two have places, each of which does this first; who has a place then, and who waits. */
const afterFour = (first: Effect.Effect<unknown, TooBusy>) => {
  const places = makeRequestPlaces(2)
  const program = Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    const requests = yield* Effect.forEach(["a", "b", "c", "d"], (address) =>
      begin(inRequestPlace(address, Effect.andThen(first, Deferred.await(gate))))
    )
    yield* Effect.yieldNow
    const during = [places.running, places.queued]
    yield* Deferred.succeed(gate, undefined)
    yield* Effect.forEach(requests, Fiber.join)
    return [...during, places.running, places.queued]
  })
  return Effect.runPromise(Effect.provideService(program, RequestPlaces, places))
}

describe("requests without a token", () => {
  it("wait for each other", async () => {
    expect(await afterFour(Effect.void)).toEqual([2, 2, 0, 0])
  })

  it("wait for nobody who has left the place, also more than once", async () => {
    expect(await afterFour(Effect.andThen(leaveRequestPlace, leaveRequestPlace))).toEqual([0, 0, 0, 0])
  })

  it("wait for nobody who waits for a process", async () => {
    expect(await afterFour(onBehalfOf("somebody")(inPlace("repository", Effect.void)))).toEqual([0, 0, 0, 0])
  })

  it("wait for nobody who waits for work that others share", async () => {
    const waiting = Effect.flatMap(Effect.scope, (scope) => {
      const counts = makeSharedCounts<void, never>(scope)
      return counts.join({ path: "/nowhere" }, "commit", () => Effect.void)
    })
    expect(await afterFour(Effect.scoped(waiting))).toEqual([0, 0, 0, 0])
  })

  it("of one address have half of the places", async () => {
    const places = makeRequestPlaces(4)
    const program = Effect.gen(function* () {
      yield* Effect.forEach(["a", "a", "a"], (address) => begin(inRequestPlace(address, Effect.never)))
      return [places.running, places.queued, yield* inRequestPlace("b", Effect.succeed("b"))]
    })
    expect(await Effect.runPromise(Effect.provideService(program, RequestPlaces, places))).toEqual([2, 1, "b"])
  })
})
