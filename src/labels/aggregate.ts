import { Data, Result } from "effect"
import { effectiveChanges } from "../kernel/effectiveChanges.ts"
import type { Parent } from "../parents/Parent.ts"
import type { Aggregate } from "../platform/Aggregate.ts"
import { LabelEvent, type LabelSettings, labelCodec, type SettingsChanges } from "./events.ts"
import { type LabelFault, settingsFaults, titleIsTaken } from "./faults.ts"
import { labelStream } from "./ids.ts"

export interface Label {
  readonly parent: Parent
  readonly settings: LabelSettings
}

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Present"; readonly label: Label }
  | { readonly _tag: "Deleted" }

const initial: State = { _tag: "Absent" }

export interface Create {
  readonly _tag: "Create"
  readonly parent: Parent
  readonly settings: LabelSettings
  /** Another label that may be used in the same place has this title. */
  readonly titleTaken: boolean
}

/** Absent settings stay as they are. */
export interface Change {
  readonly _tag: "Change"
  readonly changes: SettingsChanges
  /** Another label of the same parent has the requested title. */
  readonly titleTaken: boolean
}

export type Command = Create | Change | { readonly _tag: "Delete" }

/** Everything that is wrong with the requested label. */
export class LabelInvalid extends Data.TaggedError("LabelInvalid")<{ readonly faults: ReadonlyArray<LabelFault> }> {}

/** A label with the title of the new one is there already. */
export class TitleTaken extends Data.TaggedError("TitleTaken") {}

/** There is a label in this stream, or was one. */
export class LabelExists extends Data.TaggedError("LabelExists") {}

/** The label was never there, or is deleted. */
export class LabelMissing extends Data.TaggedError("LabelMissing") {}

export type Refusal = LabelInvalid | TitleTaken | LabelExists | LabelMissing

type Decision = Result.Result<ReadonlyArray<LabelEvent>, Refusal>

const { cases } = LabelEvent

const create = ({ parent, settings, titleTaken }: Create): Decision => {
  if (titleTaken) return Result.fail(new TitleTaken())
  const faults = settingsFaults(settings)
  return faults.length > 0
    ? Result.fail(new LabelInvalid({ faults }))
    : Result.succeed([cases.LabelCreated.make({ parent, settings })])
}

const change = ({ changes: requested, titleTaken }: Change, { settings }: Label): Decision => {
  const changes = effectiveChanges(requested, settings)
  const faults = [...settingsFaults(changes), ...(titleTaken && changes.title !== undefined ? [titleIsTaken] : [])]
  if (faults.length > 0) return Result.fail(new LabelInvalid({ faults }))
  return Result.succeed(Object.keys(changes).length === 0 ? [] : [cases.LabelChanged.make({ changes })])
}

const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Create") return state._tag === "Absent" ? create(command) : Result.fail(new LabelExists())
  if (state._tag !== "Present") return Result.fail(new LabelMissing())
  switch (command._tag) {
    case "Change":
      return change(command, state.label)
    case "Delete":
      return Result.succeed([cases.LabelDeleted.make({})])
  }
}

/** Events of a label that is not there change nothing, and a deleted one stays deleted. */
const evolve = (state: State, event: LabelEvent): State => {
  if (state._tag === "Deleted") return state
  if (event._tag === "LabelCreated") {
    const { parent, settings } = event
    return state._tag === "Absent" ? { _tag: "Present", label: { parent, settings } } : state
  }
  if (state._tag === "Absent") return state
  if (event._tag === "LabelDeleted") return { _tag: "Deleted" }
  return { _tag: "Present", label: { ...state.label, settings: { ...state.label.settings, ...event.changes } } }
}

export const labelAggregate: Aggregate<number, Command, State, LabelEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: labelCodec,
  stream: labelStream
}
