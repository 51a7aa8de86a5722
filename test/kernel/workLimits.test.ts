import { expect, it } from "vitest"
import { parseWorkLimits } from "#src/kernel/workLimits.ts"

it.each([
  ["memory=512", { memory: 512 }],
  [" places=4  wall=60 cpu=7 memory=1 ", { places: 4, wall: 60, cpu: 7, memory: 1 }],
  ["", undefined],
  ["memory", undefined],
  ["memory=0", undefined],
  ["memory=-1", undefined],
  ["memory=1.5", undefined],
  ["memory=1e3", undefined],
  ["memory=1 memory=2", undefined],
  ["memory=1 disk=2", undefined],
  ["toString=1", undefined]
])("reads limits of work: %j", (text, limits) => expect(parseWorkLimits(text)).toEqual(limits))
