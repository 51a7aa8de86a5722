import { Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import { Progress } from "#projections/Progress.ts"

/** Whether somebody who waits for more than this position is told, before and after the read models move. */
const toldAt = (position: number, moveTo: number): Promise<readonly [before: boolean, after: boolean]> => {
  const progress = new Progress()
  progress.advance(5, 0)
  return Effect.runPromise(
    Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(progress.awaitBeyond(position), { startImmediately: true })
      yield* Effect.yieldNow
      const before = waiting.pollUnsafe() !== undefined
      progress.advance(moveTo, 0)
      yield* Effect.yieldNow
      const after = waiting.pollUnsafe() !== undefined
      yield* Fiber.interrupt(waiting)
      return [before, after] as const
    })
  )
}

it.each([
  ["read models that are further already", 4, 5, [true, true]],
  ["those that move", 5, 6, [false, true]],
  ["those that stay where they are", 5, 5, [false, false]],
  ["those that are not there yet", 7, 7, [false, false]]
] as const)("whoever waits for more than a position is told of %s, or not", async (_, position, moveTo, told) => {
  expect(await toldAt(position, moveTo)).toEqual(told)
})
