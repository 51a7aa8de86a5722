import { Effect } from "effect"
import { forbidden, notFound } from "../http/answer/errors.ts"
import type { FoundParent } from "../parents/requireParent.ts"
import { MilestoneQueries } from "./Queries.ts"

/** A milestone of the parent itself; fails with `404 Not found` where there is none. */
export const requireMilestone = Effect.fnUntraced(function* ({ parent }: FoundParent, id: number | null) {
  const row =
    id === null ? undefined : yield* MilestoneQueries.use((milestones) => milestones.find({ parent, withAncestors: false }, id))
  return row ?? (yield* notFound)
})

/** The same, for those who may see milestones there; fails with 403 for others. */
export const requireReadable = Effect.fnUntraced(function* (found: FoundParent, id: number | null) {
  if (!found.may("read_milestones")) return yield* forbidden
  return yield* requireMilestone(found, id)
})
