import { Effect } from "effect"
import { type Parent, parentKey } from "../parents/Parent.ts"
import { load } from "../platform/Commands.ts"
import type { EventStore } from "../platform/eventStore/EventStore.ts"
import { type Name, release, reserve } from "../platform/Reservations.ts"
import { labelAggregate } from "./aggregate.ts"
import { labelIdOf, labelStream } from "./ids.ts"

/** A title in a project or group, where only one label has it. */
export interface Title {
  readonly parent: Parent
  readonly title: string
}

const nameOf = ({ parent, title }: Title): Name => ({ kind: "label-title", text: `${parentKey(parent)}/${title}` })

/** Whether a label has a title, as the log stands now. The parent of a label never changes. */
const holdsNow = (id: number, title: string): Effect.Effect<boolean, never, EventStore> =>
  Effect.map(load(labelAggregate, id), ({ state }) => state._tag === "Present" && state.label.settings.title === title)

const stillHeld = (title: string) => (owner: string) => {
  const id = labelIdOf(owner)
  return id === undefined ? Effect.succeed(true) : holdsNow(id, title)
}

/** Reserves a title for a label; fails with `NameTaken` where another has it. */
export const reserveTitle = (title: Title, id: number) => reserve(nameOf(title), labelStream(id), stillHeld(title.title))

/** Gives a title back, unless the label has it by now. */
export const releaseTitle = (title: Title, id: number) =>
  Effect.flatMap(holdsNow(id, title.title), (held) => (held ? Effect.void : release(nameOf(title), labelStream(id))))
