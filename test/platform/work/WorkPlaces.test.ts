import { expect, it } from "vitest"
import { defaultWorkLimits } from "#src/kernel/workLimits.ts"
import { cores } from "#src/platform/work/cores.ts"
import { defaultPlaces, type PlaceOptions, placesFor } from "#src/platform/work/WorkPlaces.ts"

const classes = ["interactive", "transfer", "bulk", "background"] as const
const numbers = (places: PlaceOptions) =>
  classes.map((each) => [places[each].concurrency, places[each].perCaller, places[each].perSubject])
const given = (places: number) =>
  placesFor({
    interactive: { ...defaultWorkLimits.interactive, places },
    transfer: { ...defaultWorkLimits.transfer, places },
    bulk: { ...defaultWorkLimits.bulk, places },
    background: { ...defaultWorkLimits.background, places }
  })

it("places follow the processors where no setting says how many there are", () => {
  expect(classes.map((each) => defaultPlaces[each].concurrency)).toEqual([
    Math.max(4, 2 * cores),
    Math.max(8, 2 * cores),
    Math.max(3, cores),
    Math.max(4, cores)
  ])
})

it.each([
  [1, 1, 1],
  [2, 1, 1],
  [3, 2, 2],
  [4, 2, 3],
  [8, 4, 6],
  [9, 5, 6]
])("of %i places one caller has at most %i, and one repository %i", (places, half, threeQuarters) => {
  expect(numbers(given(places))).toEqual(classes.map(() => [places, half, threeQuarters]))
})

it("of the queue one caller has a tenth, and who waits in the background waits as long as it takes", () => {
  const { background, interactive, transfer } = given(4)
  expect([interactive.maxQueued, interactive.maxQueuedPerCaller, interactive.timeoutMillis, transfer.timeoutMillis]).toEqual([
    1_000, 100, 30_000, 60_000
  ])
  expect([background.maxQueued, background.timeoutMillis]).toEqual([Number.POSITIVE_INFINITY, 2 ** 31 - 1])
})
