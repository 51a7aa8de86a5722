import { Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import { atOnce, awaitSlice, filterInSlices, inSlices, sortInSlices, withPauses } from "#src/kernel/inSlices.ts"

/** Works for 2 ms between pauses. */
function* working(pieces: number, done: Array<string>, name: string): Generator<void, string, void> {
  for (let piece = 0; piece < pieces; piece++) {
    const until = performance.now() + 2
    while (performance.now() < until);
    done.push(name)
    yield
  }
  return name
}

it("work of several requests takes turns, and leaves other work its own", async () => {
  const done: Array<string> = []
  let [sinceTurn, most] = [0, 0]
  const turn = () => {
    most = Math.max(most, done.length - sinceTurn)
    sinceTurn = done.length
    pending = setImmediate(turn)
  }
  let pending = setImmediate(turn)
  const names = ["a", "b", "c", "d"]
  const all = Effect.forEach(names, (name) => inSlices(working(10, done, name)), { concurrency: "unbounded" })
  expect(await Effect.runPromise(all)).toEqual(names)
  clearImmediate(pending)
  expect(done.toSorted().join("")).toBe(names.map((name) => name.repeat(10)).join(""))
  // The first piece is done as it is asked for; then all have their turns, of which two or three pieces of 2 ms fill one of the event loop.
  expect(done.slice(0, 9).join("")).toBe("aabcdabcd")
  expect(most).toBeLessThanOrEqual(4)
})

it("work that ends without a pause waits for nothing, and what fails is a defect", async () => {
  expect(Effect.runSync(inSlices(working(0, [], "now")))).toBe("now")
  function* broken(): Generator<void, never, void> {
    yield
    throw new Error("broken")
  }
  await expect(Effect.runPromise(inSlices(broken()))).rejects.toThrow("broken")
})

it("work for all leaves every other turn to the rest, and waits for nobody's slices", async () => {
  const done: Array<string> = []
  let turns = 0
  const turn = () => {
    turns += 1
    pending = setImmediate(turn)
  }
  let pending = setImmediate(turn)
  const sliced = Effect.runPromise(inSlices(working(100, [], "sliced")))
  expect(await withPauses(working(10, done, "all"))).toBe("all")
  clearImmediate(pending)
  // Pieces of 2 ms: two or three of them between two pauses.
  expect([done.length, turns >= 3 && turns <= 6]).toEqual([10, true])
  await sliced
  const broken = (function* (): Generator<void, never, void> {
    yield
    throw new Error("broken")
  })()
  await expect(withPauses(broken)).rejects.toThrow("broken")
})

it("what cannot pause waits for a turn of its own", async () => {
  const done: Array<string> = []
  const long = (name: string) => Effect.andThen(awaitSlice, () => Effect.sync(() => atOnce(working(3, done, name))))
  let most = 0
  let sinceTurn = 0
  const turn = () => {
    most = Math.max(most, done.length - sinceTurn)
    sinceTurn = done.length
    pending = setImmediate(turn)
  }
  let pending = setImmediate(turn)
  const all = Effect.forEach(["a", "b", "c"], long, { concurrency: "unbounded" })
  expect(await Effect.runPromise(all)).toEqual(["a", "b", "c"])
  clearImmediate(pending)
  expect([done.join(""), most]).toEqual(["aaabbbccc", 3])
})

it("work that is interrupted goes on no further", async () => {
  const done: Array<string> = []
  const exit = Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(inSlices(working(1_000, done, "x")))
    yield* Effect.yieldNow
    yield* Fiber.interrupt(fiber)
    const before = done.length
    yield* inSlices(working(5, [], "y"))
    return done.length - before
  })
  expect(await Effect.runPromise(exit)).toBe(0)
})

it.each([0, 1, 499, 500, 501, 1_500, 10_000])(
  "a list of %i is sorted as at once, and those that are equal stay in their order",
  async (length) => {
    const list = Array.from({ length }, (_, index) => ({ key: (index * 7919) % 101, index }))
    const byKey = (one: { readonly key: number }, other: { readonly key: number }) => one.key - other.key
    expect(await Effect.runPromise(sortInSlices(list, byKey))).toEqual(list.toSorted(byKey))
  }
)

it("short lists are sorted and filtered without a pause", () => {
  expect(Effect.runSync(sortInSlices([3, 1, 2], (one, other) => one - other))).toEqual([1, 2, 3])
  expect(Effect.runSync(filterInSlices([3, 1, 2], (each) => each > 1))).toEqual([3, 2])
})

it("a long list is filtered as at once", async () => {
  const list = Array.from({ length: 1_001 }, (_, index) => index)
  const isOdd = (each: number) => each % 2 === 1
  expect(await Effect.runPromise(filterInSlices(list, isOdd))).toEqual(list.filter(isOdd))
})
