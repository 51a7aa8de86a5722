import fc from "fast-check"
import { expect, it } from "vitest"
import { Progress } from "#src/platform/reactions/Progress.ts"

it("stays before the first event that is not finished", () => {
  const progress = new Progress(10)
  progress.begin(20)
  progress.begin(30)
  progress.read(40)
  expect([progress.checkpoint, progress.unfinished, progress.readTo]).toEqual([10, [20, 30], 40])
  progress.finish(30)
  expect([progress.checkpoint, progress.unfinished]).toEqual([10, [20]])
  progress.finish(20)
  expect(progress.checkpoint).toBe(40)
})

it("passes over no event and reaches the end, in whatever order they are finished", () => {
  const positions = fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { minLength: 1 }).map((all) => all.sort((a, b) => a - b))
  const orders = positions.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })))
  fc.assert(
    fc.property(orders, ([begun, finished]) => {
      const progress = new Progress(0)
      for (const position of begun) progress.begin(position)
      const open = new Set(begun)
      for (const position of finished) {
        progress.finish(position)
        open.delete(position)
        const before = progress.checkpoint
        const first = Math.min(...open)
        if (open.size > 0) expect(begun.filter((each) => each > before)[0]).toBe(first)
      }
      expect(progress.checkpoint).toBe(begun.at(-1))
    })
  )
})
