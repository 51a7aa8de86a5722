import { describe, expect, it } from "vitest"
import { blocksAggregate, type Command, type State } from "#src/mergeRequests/blocks/aggregate.ts"
import { BlockEvent } from "#src/mergeRequests/blocks/events.ts"
import { stepOf } from "#test/support/aggregateLaws.ts"
import { outcomeOf } from "#test/support/decisions.ts"

const { cases } = BlockEvent
const outcome = outcomeOf(blocksAggregate)
const step = stepOf(blocksAggregate)
const block = (id: number, iid = id, gone: ReadonlyArray<number> = []): Command => ({
  _tag: "Block",
  id,
  by: 8,
  blocking: { projectId: 4, iid },
  gone
})
const unblock = (id: number): Command => ({ _tag: "Unblock", id, by: 8 })
const behind = (...commands: ReadonlyArray<Command>): State => commands.reduce(step, blocksAggregate.initial)

describe("a block", () => {
  it("is added once for what has to be merged first, and again when it was taken away", () => {
    expect(outcome(block(1), behind())).toEqual([
      cases.MergeRequestBlocked.make({ id: 1, by: 8, blocking: { projectId: 4, iid: 1 } })
    ])
    expect(outcome(block(2, 1), behind(block(1)))).toBe("BlockExists")
    expect(outcome(block(2, 1), behind(block(1), unblock(1)))).toHaveLength(1)
  })

  it("is taken away once", () => {
    expect(outcome(unblock(1), behind(block(1)))).toEqual([cases.MergeRequestUnblocked.make({ id: 1, by: 8 })])
    expect(outcome(unblock(1), behind(block(1), unblock(1)))).toBe("BlockMissing")
    expect(outcome(unblock(2), behind(block(1)))).toBe("BlockMissing")
  })

  it("is one of twenty", () => {
    const twenty = Array.from({ length: 20 }, (_, index) => block(index + 1))
    expect(outcome(block(20), behind(...twenty.slice(1)))).toBe("BlockExists")
    expect(outcome(block(21), behind(...twenty.slice(1)))).toHaveLength(1)
    expect(outcome(block(21), behind(...twenty))).toBe("TooManyBlocks")
    expect(outcome(block(21, 21, [3, 40]), behind(...twenty))).toEqual([
      cases.MergeRequestUnblocked.make({ id: 3, by: 8 }),
      cases.MergeRequestBlocked.make({ id: 21, by: 8, blocking: { projectId: 4, iid: 21 } })
    ])
  })
})
