import { expect, it } from "vitest"
import { Rest } from "#src/platform/giveBackMemory.ts"

const mebibyte = 1024 ** 2
const look = (resident: number, utilization: number, heapUsed = 100) => ({
  resident: resident * mebibyte,
  heapUsed: heapUsed * mebibyte,
  utilization
})

it("collects once the service rests and has grown, and not again for what a collection leaves", () => {
  const rest = new Rest(170 * mebibyte)
  const seen = [look(400, 0.9), look(400, 0.11), look(230, 0), look(235, 0.1)].map((each) => rest.isWorthIt(each))
  rest.collected(220 * mebibyte)
  const later = [look(235, 0), look(284, 0), look(285, 0), look(900, 0, 600)].map((each) => rest.isWorthIt(each))
  expect([seen, later]).toEqual([
    [false, false, false, true],
    [false, false, true, false]
  ])
})
