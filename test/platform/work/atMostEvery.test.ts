import { Effect } from "effect"
import { expect, it } from "vitest"
import { atMostEvery } from "#src/platform/work/atMostEvery.ts"

it("is done once for all who ask at the same time, and again only some time later", async () => {
  let times = 0
  const count = Effect.andThen(
    Effect.yieldNow,
    Effect.sync(() => ++times)
  )
  const counted = await Effect.runPromise(atMostEvery(200, count))
  const ask = () => Effect.runPromise(Effect.all([counted, counted, counted], { concurrency: "unbounded" }))
  expect(await ask()).toEqual([1, 1, 1])
  const start = performance.now()
  expect(await ask()).toEqual([2, 2, 2])
  expect(performance.now() - start).toBeGreaterThan(150)
})
