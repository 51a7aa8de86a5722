import { Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import { inSlices } from "#src/kernel/inSlices.ts"

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
