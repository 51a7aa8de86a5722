import { Result } from "effect"
import type { Aggregate } from "../../platform/Aggregate.ts"
import { SlotEvent, slotCodec } from "./events.ts"
import { type SlotId, slotStream } from "./ids.ts"

type Started = Omit<Extract<SlotEvent, { readonly _tag: "SlotStarted" }>, "_tag">
type Ended = Omit<Extract<SlotEvent, { readonly _tag: "SlotEnded" }>, "_tag">
type Skipped = Omit<Extract<SlotEvent, { readonly _tag: "SlotsSkipped" }>, "_tag">

/** What a slot that was started or passed has told of the run after it, and of which settings. */
export type SlotPlan = Pick<Started, "nextRun" | "scheduleRevision">

export type State =
  | { readonly _tag: "Open" }
  | { readonly _tag: "Started"; readonly plan: SlotPlan }
  | { readonly _tag: "Over"; readonly plan: SlotPlan }

/** Starts a slot that nobody started, ends one that was started, or lets one pass. Whatever is done already is not done again. */
export type Command =
  | { readonly _tag: "Start"; readonly slot: Started }
  | { readonly _tag: "End"; readonly end: Ended }
  | { readonly _tag: "Skip"; readonly skipped: Skipped }

const { cases } = SlotEvent

const initial: State = { _tag: "Open" }

const decide = (command: Command, state: State): ReadonlyArray<SlotEvent> => {
  switch (command._tag) {
    case "Start":
      return state._tag === "Open" ? [cases.SlotStarted.make(command.slot)] : []
    case "Skip":
      return state._tag === "Open" ? [cases.SlotsSkipped.make(command.skipped)] : []
    case "End":
      return state._tag === "Started" ? [cases.SlotEnded.make(command.end)] : []
  }
}

const evolve = (state: State, event: SlotEvent): State => {
  if (event._tag === "SlotEnded") return state._tag === "Started" ? { ...state, _tag: "Over" } : state
  if (state._tag !== "Open") return state
  return { _tag: event._tag === "SlotStarted" ? "Started" : "Over", plan: event }
}

export const slotAggregate: Aggregate<SlotId, Command, State, SlotEvent, never> = {
  initial,
  decide: (command, state) => Result.succeed(decide(command, state)),
  evolve,
  codec: slotCodec,
  stream: slotStream
}
