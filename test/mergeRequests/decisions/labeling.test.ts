import { describe, expect, it } from "vitest"
import { mergeRequestAggregate } from "#src/mergeRequests/decisions/aggregate.ts"
import type { Update } from "#src/mergeRequests/decisions/commands.ts"
import { type Labeling, labelsAfter } from "#src/mergeRequests/decisions/labeling.ts"
import { MergeRequestEvent } from "#src/mergeRequests/events.ts"
import { outcomeOf } from "#test/support/decisions.ts"
import { open, opened, stateBehind } from "../samples.ts"

const { cases } = MergeRequestEvent
const outcome = outcomeOf(mergeRequestAggregate)
const ids = (count: number, first = 1) => Array.from({ length: count }, (_, index) => first + index)
const told = (labeling: Labeling) => ({ labelEventId: 1, milestoneEventId: 2, ...labeling })
const updating = (labeling: Labeling): Update => ({ _tag: "Update", by: 8, changes: {}, labeling: told(labeling) })
const before = stateBehind({ ...open, labeling: told({ labels: { added: [1, 2] }, milestoneId: 5 }) })

describe("labels behind a change", () => {
  it.each([
    [{}, [1, 2]],
    [{ instead: [] }, []],
    [{ instead: [3, 3] }, [3]],
    [{ added: [2, 3] }, [1, 2, 3]],
    [{ removed: [2, 9] }, [1]],
    [{ instead: [3], added: [4], removed: [3, 5] }, [4]]
  ])("%j makes [1, 2] into %j", (change, after) => {
    expect(labelsAfter([1, 2], change)).toEqual(after)
  })
})

describe("a change of labels and milestone", () => {
  const labeled = (added: ReadonlyArray<number>, removed: ReadonlyArray<number>) =>
    cases.MergeRequestLabelsChanged.make({ id: 1, by: 8, addedIds: added, removedIds: removed })
  const moved = (to: number | null) => cases.MergeRequestMilestoneChanged.make({ id: 2, by: 8, from: 5, to, state: "opened" })

  it.each([
    [{ labels: { added: [3] } }, [labeled([3], [])]],
    [{ labels: { instead: [2, 3] } }, [labeled([3], [1])]],
    [{ labels: { added: [1], removed: [7] }, milestoneId: 5 }, []],
    [{ milestoneId: null }, [moved(null)]],
    [{ labels: { instead: [] }, milestoneId: 6 }, [labeled([], [1, 2]), moved(6)]]
  ])("%j tells only what differs", (labeling, events) => {
    expect(outcome(updating(labeling), before)).toEqual(events)
  })

  it("is told behind the opening", () => {
    const labeling = told({ labels: { added: [3] }, milestoneId: 6 })
    expect(outcome({ ...open, labeling }, mergeRequestAggregate.initial)).toEqual([
      opened,
      cases.MergeRequestLabelsChanged.make({ id: 1, by: 7, addedIds: [3], removedIds: [] }),
      cases.MergeRequestMilestoneChanged.make({ id: 2, by: 7, from: null, to: 6, state: "opened" })
    ])
  })

  it("beyond five hundred labels is refused, and what is told has room in between its ids", () => {
    expect(outcome(updating({ labels: { added: ids(501, 3) } }), before)).toBe("MergeRequestInvalid")
    const [event] = [outcome(updating({ labels: { instead: ids(500, 3) } }), before)].flat()
    expect(event).toEqual(labeled(ids(500, 3), [1, 2]))
  })
})
