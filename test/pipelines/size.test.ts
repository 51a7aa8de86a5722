import { describe, expect, it } from "vitest"
import { pipelineAggregate } from "#src/pipelines/aggregate.ts"
import type { Command } from "#src/pipelines/commands.ts"
import type { State } from "#src/pipelines/state.ts"
import { stepOf } from "#test/support/aggregateLaws.ts"
import { outcomeOf } from "#test/support/decisions.ts"
import { create, job, post, stateBehind } from "./samples.ts"

const outcome = outcomeOf(pipelineAggregate)
const step = stepOf(pipelineAggregate)

describe("a pipeline", () => {
  it.each([
    ["different names", (n: number) => `ci ${n}`],
    ["one name", () => "ci"]
  ])("takes a status more as fast with many of %s as with few", (_, name) => {
    let state: State = pipelineAggregate.initial
    const millisOf = (from: number, to: number): number => {
      const since = performance.now()
      for (let n = from; n < to; n++)
        state = step(state, { ...post, id: n, name: name(n), status: "success", maxJobs: Number.POSITIVE_INFINITY })
      return performance.now() - since
    }
    millisOf(1, 1_000)
    const few = millisOf(1_000, 2_000)
    millisOf(2_000, 9_000)
    // A hundred times as many jobs are looked at where each post looks at all of them: some twenty times as long.
    expect(millisOf(9_000, 10_000)).toBeLessThan(4 * few + 100)
  })

  it("takes no more jobs than it may have, but what is there moves on", () => {
    const maxJobs = 2
    const failed: ReadonlyArray<Command> = [
      { _tag: "ClaimJob", id: 1, claim: 5, executor: "one", by: 9 },
      { _tag: "EndJob", id: 1, claim: 5, status: "failed", newId: 0 }
    ]
    const full = stateBehind(create(job(1, "build")), ...failed, { ...post, id: 2, status: "running" })
    const retry = { newIds: new Map([[1, 3]]), by: 8, maxJobs }
    expect([
      outcome({ ...post, id: 3, name: "other", maxJobs }, full),
      outcome({ ...post, id: 3, postedBy: 8, maxJobs }, full),
      outcome({ _tag: "RetryJob", ...retry }, full),
      outcome({ _tag: "RetryFailed", ...retry }, full)
    ]).toEqual(["TooManyJobs", "TooManyJobs", "TooManyJobs", "TooManyJobs"])
    expect(outcome({ ...post, id: 3, status: "success", maxJobs }, full)).toHaveLength(2)
    expect(outcome({ ...post, id: 3, name: "other", maxJobs: 3 }, full)).not.toBe("TooManyJobs")
  })
})
