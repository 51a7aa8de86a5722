import { expect, it } from "vitest"
import { CollectionPolicy } from "#src/platform/releaseMemory.ts"

const mebibyte = 1024 ** 2
const sample = (resident: number, utilization: number, heapUsed = 100) => ({
  resident: resident * mebibyte,
  heapUsed: heapUsed * mebibyte,
  utilization
})

it("collects once the service rests and has grown, and not again for what a collection leaves", () => {
  const policy = new CollectionPolicy(170 * mebibyte)
  const seen = [sample(400, 0.9), sample(400, 0.11), sample(230, 0), sample(235, 0.1)].map((each) => policy.isWorthIt(each))
  policy.collected(220 * mebibyte)
  const later = [sample(235, 0), sample(284, 0), sample(285, 0), sample(900, 0, 600)].map((each) => policy.isWorthIt(each))
  expect([seen, later]).toEqual([
    [false, false, false, true],
    [false, false, true, false]
  ])
})
