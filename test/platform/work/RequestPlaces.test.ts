import { Deferred, Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { makeSharedCounts } from "#src/git/contributors/sharedCounts.ts"
import { onBehalfOf } from "#src/platform/work/CurrentWork.ts"
import type { TooBusy } from "#src/platform/work/FairQueue.ts"
import {
  awaitStart,
  inRequestPlace,
  leaveRequestPlace,
  makeRequestPlaces,
  RequestPlaces
} from "#src/platform/work/RequestPlaces.ts"
import { singleFlight } from "#src/platform/work/singleFlight.ts"
import { inPlace } from "#src/platform/work/WorkPlaces.ts"

const begin = <A, E>(effect: Effect.Effect<A, E>) => Effect.tap(Effect.forkChild(effect), () => Effect.yieldNow)

/** Begins four requests of as many addresses where two have places, each of which does this first; who has a place then, and who waits. */
const afterFour = (first: Effect.Effect<unknown, TooBusy>) => {
  const requestPlaces = makeRequestPlaces({ anonymous: 2, perUser: 1 })
  const places = requestPlaces.anonymous
  const program = Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    const requests = yield* Effect.forEach(["a", "b", "c", "d"], (address) =>
      begin(inRequestPlace("anonymous", address, Effect.andThen(first, Deferred.await(gate))))
    )
    yield* Effect.yieldNow
    const during = [places.running, places.queued]
    yield* Deferred.succeed(gate, undefined)
    yield* Effect.forEach(requests, Fiber.join)
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    return [...during, places.running, places.queued]
  })
  return Effect.runPromise(Effect.provideService(program, RequestPlaces, requestPlaces))
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

  it("wait for nobody who waits for the answer that another one is given", async () => {
    const shared = singleFlight<void, never>()
    expect(await afterFour(shared("key", Effect.void))).toEqual([0, 0, 0, 0])
  })

  it("of one address have half of the places", async () => {
    const places = makeRequestPlaces({ anonymous: 4, perUser: 1 })
    const program = Effect.gen(function* () {
      yield* Effect.forEach(["a", "a", "a"], (address) => begin(inRequestPlace("anonymous", address, Effect.never)))
      const { queued, running } = places.anonymous
      return [running, queued, yield* inRequestPlace("anonymous", "b", Effect.succeed("b"))]
    })
    expect(await Effect.runPromise(Effect.provideService(program, RequestPlaces, places))).toEqual([2, 1, "b"])
  })
})

it("reads of a user wait for others of the same one alone", async () => {
  const places = makeRequestPlaces({ anonymous: 1, perUser: 2 })
  const program = Effect.gen(function* () {
    yield* Effect.forEach(["a", "a", "a"], (user) => begin(inRequestPlace("user", user, Effect.never)))
    yield* begin(inRequestPlace("anonymous", "address", Effect.never))
    yield* Effect.forEach(["b", "b"], (user) => begin(inRequestPlace("user", user, Effect.never)))
    return [places.user.running, places.user.queued, yield* inRequestPlace("user", "c", Effect.succeed("c"))]
  })
  expect(await Effect.runPromise(Effect.provideService(program, RequestPlaces, places))).toEqual([4, 1, "c"])
})

/** Who begins in each turn of the event loop, where so many requests of these senders come at once, each of an address of its own if they have a token. */
const begunPerTurn = (senders: Readonly<Record<string, number>>, hasTokens = false) => {
  const begun: Array<string> = []
  const program = Effect.gen(function* () {
    const all = Object.entries(senders).flatMap(([sender, count]) => Array<string>(count).fill(sender))
    const fibers = yield* Effect.forEach(all, (sender, index) =>
      Effect.forkChild(
        Effect.tap(hasTokens ? awaitStart(sender, `address-${index}`) : awaitStart("", sender), () =>
          Effect.sync(() => begun.push(sender))
        ),
        { startImmediately: true }
      )
    )
    const perTurn: Array<ReadonlyArray<string>> = []
    while (begun.length > 0) {
      perTurn.push(begun.splice(0))
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    }
    yield* Effect.forEach(fibers, Fiber.join)
    return perTurn
  })
  const places = makeRequestPlaces({ anonymous: 1, perUser: 1 })
  return Effect.runPromise(Effect.provideService(program, RequestPlaces, places))
}

it.each([
  ["address", false],
  ["token, wherever it comes from", true]
])("begin in turns of the event loop, few of one %s in each", async (_, hasTokens) => {
  expect(await begunPerTurn({ many: 40, few: 2 }, hasTokens)).toEqual([
    [...Array(16).fill("many"), "few", "few"],
    Array(16).fill("many"),
    Array(8).fill("many")
  ])
})

it("begin in turns of the event loop, so many of all senders in each, and those first who have waited longest", async () => {
  const crowd = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`sender-${index}`, 1]))
  const perTurn = await begunPerTurn(crowd)
  expect([perTurn.map(({ length }) => length), perTurn.flat()]).toEqual([[64, 64, 22], Object.keys(crowd)])
})
