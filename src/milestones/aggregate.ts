import { Data, Result } from "effect"
import { effectiveChanges } from "../kernel/effectiveChanges.ts"
import type { Parent } from "../parents/Parent.ts"
import type { Aggregate } from "../platform/Aggregate.ts"
import { MilestoneEvent, type MilestoneSettings, milestoneCodec, type SettingsChanges } from "./events.ts"
import { type MilestoneFault, settingsFaults, titleIsTaken } from "./faults.ts"
import { milestoneStream } from "./ids.ts"

export interface Milestone {
  readonly parent: Parent
  readonly settings: MilestoneSettings
  readonly isActive: boolean
}

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Present"; readonly milestone: Milestone }
  | { readonly _tag: "Deleted" }

const initial: State = { _tag: "Absent" }

export interface Create {
  readonly _tag: "Create"
  readonly parent: Parent
  readonly iid: number
  readonly settings: MilestoneSettings
  /** Another milestone has this title. */
  readonly titleTaken: boolean
}

/** Absent settings stay as they are. What is closed may be closed, and what is active activated. */
export interface Change {
  readonly _tag: "Change"
  readonly changes: SettingsChanges
  readonly stateEvent: "close" | "activate" | null
  /** Another milestone has the requested title. */
  readonly titleTaken: boolean
}

export type Command = Create | Change | { readonly _tag: "Delete" }

/** Everything that is wrong with the requested milestone. */
export class MilestoneInvalid extends Data.TaggedError("MilestoneInvalid")<{
  readonly faults: ReadonlyArray<MilestoneFault>
}> {}

/** There is a milestone in this stream, or was one. */
export class MilestoneExists extends Data.TaggedError("MilestoneExists") {}

/** The milestone was never there, or is deleted. */
export class MilestoneMissing extends Data.TaggedError("MilestoneMissing") {}

export type Refusal = MilestoneInvalid | MilestoneExists | MilestoneMissing

type Decision = Result.Result<ReadonlyArray<MilestoneEvent>, Refusal>

const { cases } = MilestoneEvent

const decided = (faults: ReadonlyArray<MilestoneFault>, events: ReadonlyArray<MilestoneEvent>): Decision =>
  faults.length > 0 ? Result.fail(new MilestoneInvalid({ faults })) : Result.succeed(events)

const takenFaults = (isTaken: boolean): ReadonlyArray<MilestoneFault> => (isTaken ? [titleIsTaken] : [])

/** What is wrong with a new milestone, whatever its number. */
export const creationFaults = ({ settings, titleTaken }: Pick<Create, "settings" | "titleTaken">) => [
  ...settingsFaults(settings),
  ...takenFaults(titleTaken)
]

const create = ({ iid, parent, settings, titleTaken }: Create): Decision =>
  decided(creationFaults({ settings, titleTaken }), [cases.MilestoneCreated.make({ parent, iid, settings })])

const stateEvents = (stateEvent: Change["stateEvent"], isActive: boolean): ReadonlyArray<MilestoneEvent> => {
  if (stateEvent === "close" && isActive) return [cases.MilestoneClosed.make({})]
  return stateEvent === "activate" && !isActive ? [cases.MilestoneActivated.make({})] : []
}

/** Dates depend on one another, so those that stay are judged with those that change; nothing is judged where nothing changes. */
const change = ({ changes: requested, stateEvent, titleTaken }: Change, { isActive, settings }: Milestone): Decision => {
  const changes = effectiveChanges(requested, settings)
  const events = stateEvents(stateEvent, isActive)
  if (Object.keys(changes).length === 0) return Result.succeed(events)
  const faults = settingsFaults({ ...settings, ...changes })
  const taken = takenFaults(titleTaken && changes.title !== undefined)
  return decided([...faults, ...taken], [cases.MilestoneChanged.make({ changes }), ...events])
}

const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Create") return state._tag === "Absent" ? create(command) : Result.fail(new MilestoneExists())
  if (state._tag !== "Present") return Result.fail(new MilestoneMissing())
  switch (command._tag) {
    case "Change":
      return change(command, state.milestone)
    case "Delete":
      return Result.succeed([cases.MilestoneDeleted.make({})])
  }
}

const present = (milestone: Milestone): State => ({ _tag: "Present", milestone })

/** Events of a milestone that is not there change nothing, and a deleted one stays deleted. */
const evolve = (state: State, event: MilestoneEvent): State => {
  if (state._tag === "Deleted") return state
  if (event._tag === "MilestoneCreated") {
    const { parent, settings } = event
    return state._tag === "Absent" ? present({ parent, settings, isActive: true }) : state
  }
  if (state._tag === "Absent") return state
  const { milestone } = state
  return MilestoneEvent.match(event, {
    MilestoneCreated: () => state,
    MilestoneChanged: ({ changes }) => present({ ...milestone, settings: { ...milestone.settings, ...changes } }),
    MilestoneClosed: () => present({ ...milestone, isActive: false }),
    MilestoneActivated: () => present({ ...milestone, isActive: true }),
    MilestoneDeleted: (): State => ({ _tag: "Deleted" })
  })
}

export const milestoneAggregate: Aggregate<number, Command, State, MilestoneEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: milestoneCodec,
  stream: milestoneStream
}
