import { Effect } from "effect"
import { type Parent, parentKey } from "../parents/Parent.ts"
import { load } from "../platform/Commands.ts"
import type { EventStore } from "../platform/eventStore/EventStore.ts"
import { type Name, release, reserve } from "../platform/Reservations.ts"
import { MilestoneInvalid, milestoneAggregate } from "./aggregate.ts"
import { titleIsTaken } from "./faults.ts"
import { milestoneIdOf, milestoneStream } from "./ids.ts"

/** A title in a project or group, where only one milestone has it. */
export interface Title {
  readonly parent: Parent
  readonly title: string
}

const nameOf = ({ parent, title }: Title): Name => ({ kind: "milestone-title", text: `${parentKey(parent)}/${title}` })

/** Whether a milestone has a title, as the log stands now. The parent of a milestone never changes. */
const holdsNow = (id: number, title: string): Effect.Effect<boolean, never, EventStore> =>
  Effect.map(load(milestoneAggregate, id), ({ state }) => state._tag === "Present" && state.milestone.settings.title === title)

const stillHeld = (title: string) => (owner: string) => {
  const id = milestoneIdOf(owner)
  return id === undefined ? Effect.succeed(true) : holdsNow(id, title)
}

/** Reserves a title for a milestone. */
export const reserveTitle = (title: Title, id: number) =>
  reserve(nameOf(title), milestoneStream(id), stillHeld(title.title)).pipe(
    Effect.mapError(() => new MilestoneInvalid({ faults: [titleIsTaken] }))
  )

/** Gives a title back, unless the milestone has it by now. */
export const releaseTitle = (title: Title, id: number) =>
  Effect.flatMap(holdsNow(id, title.title), (held) => (held ? Effect.void : release(nameOf(title), milestoneStream(id))))
