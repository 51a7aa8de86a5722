import { Effect } from "effect"
import { type Parent, parentKey } from "../parents/Parent.ts"
import { aggregateNames } from "../platform/aggregateNames.ts"
import { MilestoneInvalid, milestoneAggregate } from "./aggregate.ts"
import { titleIsTaken } from "./faults.ts"
import { milestoneIdOf } from "./ids.ts"

/** A title in a project or group, where only one milestone has it. */
export interface Title {
  readonly parent: Parent
  readonly title: string
}

/** The parent of a milestone never changes. */
const titles = aggregateNames({
  aggregate: milestoneAggregate,
  idOf: milestoneIdOf,
  nameOf: ({ parent, title }: Title) => ({ kind: "milestone-title", text: `${parentKey(parent)}/${title}` }),
  holds: (state, { title }) => state._tag === "Present" && state.milestone.settings.title === title
})

/** Reserves a title for a milestone. */
export const reserveTitle = (title: Title, id: number) =>
  Effect.mapError(titles.reserve(title, id), () => new MilestoneInvalid({ faults: [titleIsTaken] }))

/** Gives a title back, unless the milestone has it by now. */
export const releaseTitle = titles.release
