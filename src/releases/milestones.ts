import { Effect } from "effect"
import { badRequest } from "../http/answer/errors.ts"
import { MilestoneQueries, type MilestoneRow } from "../milestones/Milestones.ts"

interface Named {
  readonly milestones?: ReadonlyArray<string> | null
  readonly milestone_ids?: ReadonlyArray<number> | null
}

/** So many milestones a release has: each is shown with it. */
const maxMilestones = 100
/** So many are looked for at the same time. */
const concurrency = 8

/** What each of some names leads to; fails with the ones that lead to nothing. */
const found = Effect.fnUntraced(function* <A, R>(
  names: ReadonlyArray<A>,
  what: string,
  find: (name: A) => Effect.Effect<MilestoneRow | undefined, never, R>
) {
  const distinct = [...new Set(names)]
  if (distinct.length > maxMilestones) return yield* badRequest(`A release has at most ${maxMilestones} milestones`)
  const rows: ReadonlyArray<MilestoneRow | undefined> = yield* Effect.forEach(distinct, find, { concurrency })
  const missing = distinct.filter((_, index) => rows[index] === undefined)
  if (missing.length > 0) return yield* badRequest(`${what} not found: ${missing.join(", ")}`)
  return rows.flatMap((row) => row?.id ?? [])
})

/** The ids of milestones that a request names, of a project or of groups above it; undefined where it names none. */
export const milestonesOf = Effect.fnUntraced(function* (projectId: number, { milestone_ids, milestones }: Named) {
  const queries = yield* MilestoneQueries
  const place = { parent: { kind: "project", id: projectId }, withAncestors: true } as const
  const titled = (title: string) =>
    Effect.map(queries.list({ ...place, title }, { limit: 1, offset: 0 }), ({ rows }): MilestoneRow | undefined => rows[0])
  if (milestones) return yield* found(milestones, "Milestone(s)", titled)
  if (milestone_ids) return yield* found(milestone_ids, "Milestone id(s)", (id) => queries.find(place, id))
  return undefined
})
