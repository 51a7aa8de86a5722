import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import { mergeRequestAggregate } from "#src/mergeRequests/decisions/aggregate.ts"
import { isPresent, placeIn } from "#src/mergeRequests/decisions/state.ts"
import { PairTaken, reservePair } from "#src/mergeRequests/pairs.ts"
import { updatePresent } from "#src/mergeRequests/writes/change.ts"
import { handle, load } from "#src/platform/Commands.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { databaseLayer } from "#test/support/database.ts"
import { attributes, open, source } from "./samples.ts"

const layer = Layer.merge(layerMemory, databaseLayer)

const keyOf = (iid: number) => ({ projectId: 4, iid })
const pairInto = (targetBranch: string) => ({ source, projectId: 4, targetBranch })
const by = 7

const stateOf = Effect.fnUntraced(function* (iid: number) {
  const { state } = yield* load(mergeRequestAggregate, keyOf(iid))
  return isPresent(state) ? state : expect.unreachable()
})
const placeOf = (iid: number) => Effect.map(stateOf(iid), placeIn)

const openInto = Effect.fnUntraced(function* (iid: number, targetBranch: string) {
  yield* reservePair(pairInto(targetBranch), keyOf(iid))
  yield* handle(mergeRequestAggregate, keyOf(iid), { ...open, id: 80 + iid, attributes: { ...attributes, targetBranch } })
})

/** Number 1, closed, was to be merged into `main`, and number 2 is open for `dev`. */
const closedOne = Effect.gen(function* () {
  yield* openInto(1, "main")
  yield* updatePresent(keyOf(1), yield* stateOf(1), { by, changes: {}, transition: "close" })
  yield* openInto(2, "dev")
  return yield* stateOf(1)
})

describe("an update of a merge request that was seen closed", () => {
  it.effect("does not take it to a branch that another one has, when it was opened meanwhile", () =>
    Effect.gen(function* () {
      const seen = yield* closedOne
      yield* updatePresent(keyOf(1), seen, { by, changes: {}, transition: "reopen" })
      const refused = yield* Effect.flip(updatePresent(keyOf(1), seen, { by, changes: { targetBranch: "dev" } }))
      expect(refused).toEqual(new PairTaken({ iid: 2 }))
      expect(yield* placeOf(1)).toEqual({ isOpen: true, targetBranch: "main" })
    }).pipe(Effect.provide(layer))
  )

  it.effect("does not open it for a branch that another one has, when it got that meanwhile, and changes the rest", () =>
    Effect.gen(function* () {
      const seen = yield* closedOne
      yield* updatePresent(keyOf(1), seen, { by, changes: { targetBranch: "dev" } })
      yield* updatePresent(keyOf(1), seen, { by, changes: { title: "Again" }, transition: "reopen" })
      expect(yield* placeOf(1)).toEqual({ isOpen: false, targetBranch: "dev" })
      expect((yield* stateOf(1)).request.attributes.title).toBe("Again")
    }).pipe(Effect.provide(layer))
  )

  it.effect("opens it where it leads by now", () =>
    Effect.gen(function* () {
      const seen = yield* closedOne
      yield* updatePresent(keyOf(1), seen, { by, changes: { targetBranch: "stable" } })
      yield* updatePresent(keyOf(1), seen, { by, changes: {}, transition: "reopen" })
      expect(yield* placeOf(1)).toEqual({ isOpen: true, targetBranch: "stable" })
      expect(yield* Effect.flip(reservePair(pairInto("stable"), keyOf(3)))).toEqual(new PairTaken({ iid: 1 }))
      yield* reservePair(pairInto("main"), keyOf(3))
    }).pipe(Effect.provide(layer))
  )
})
