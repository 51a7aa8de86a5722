import { Data, Result } from "effect"
import type { Aggregate } from "../platform/Aggregate.ts"
import { ImportEvent, type ImportSource, importCodec } from "./events.ts"
import { importStream } from "./ids.ts"

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Scheduled"; readonly source: ImportSource }
  | { readonly _tag: "Started"; readonly source: ImportSource; readonly percent: number }
  | { readonly _tag: "Finished" }
  | { readonly _tag: "Failed" }
  | { readonly _tag: "Cancelled" }

const initial: State = { _tag: "Absent" }

export type Command =
  | { readonly _tag: "Schedule"; readonly source: ImportSource }
  | { readonly _tag: "Start" }
  | { readonly _tag: "Progress"; readonly percent: number }
  | { readonly _tag: "Finish"; readonly branches: number; readonly tags: number }
  | { readonly _tag: "Fail"; readonly reason: string }
  /** The project was deleted. */
  | { readonly _tag: "Cancel" }

/** Something is being imported into the project already. */
export class ImportUnderWay extends Data.TaggedError("ImportUnderWay") {}

/** Nothing is being imported: it never was, or is over. */
export class ImportNotUnderWay extends Data.TaggedError("ImportNotUnderWay") {}

export type Refusal = ImportUnderWay | ImportNotUnderWay

type Decision = Result.Result<ReadonlyArray<ImportEvent>, Refusal>
type Running = Extract<State, { readonly _tag: "Scheduled" | "Started" }>

const { cases } = ImportEvent
const nothing: Decision = Result.succeed([])
const one = (happened: ImportEvent): Decision => Result.succeed([happened])

const isRunning = (state: State): state is Running => state._tag === "Scheduled" || state._tag === "Started"

const proceed = (command: Exclude<Command, { readonly _tag: "Schedule" }>, state: Running): Decision => {
  switch (command._tag) {
    case "Start":
      return state._tag === "Started" ? nothing : one(cases.ImportStarted.make({}))
    case "Progress": {
      const { percent } = command
      return state._tag === "Started" && percent > state.percent ? one(cases.ImportProgressed.make({ percent })) : nothing
    }
    case "Finish":
      return one(cases.ImportFinished.make({ branches: command.branches, tags: command.tags }))
    case "Fail":
      return one(cases.ImportFailed.make({ reason: command.reason }))
    case "Cancel":
      return one(cases.ImportCancelled.make({}))
  }
}

/** What is over may be scheduled again, but for a project that is gone. A second start, after a crash, changes nothing. */
const decide = (command: Command, state: State): Decision => {
  if (command._tag !== "Schedule") return isRunning(state) ? proceed(command, state) : Result.fail(new ImportNotUnderWay())
  if (isRunning(state)) return Result.fail(new ImportUnderWay())
  if (state._tag === "Cancelled") return Result.fail(new ImportNotUnderWay())
  return one(cases.ImportScheduled.make({ source: command.source }))
}

/** Events of an import that is not under way change nothing, and a cancelled one stays cancelled. */
const evolve = (state: State, event: ImportEvent): State => {
  if (event._tag === "ImportScheduled") {
    return isRunning(state) || state._tag === "Cancelled" ? state : { _tag: "Scheduled", source: event.source }
  }
  if (!isRunning(state)) return state
  switch (event._tag) {
    case "ImportStarted":
      return state._tag === "Started" ? state : { _tag: "Started", source: state.source, percent: 0 }
    case "ImportProgressed":
      return { _tag: "Started", source: state.source, percent: event.percent }
    case "ImportFinished":
      return { _tag: "Finished" }
    case "ImportFailed":
      return { _tag: "Failed" }
    case "ImportCancelled":
      return { _tag: "Cancelled" }
  }
}

export const importAggregate: Aggregate<number, Command, State, ImportEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: importCodec,
  stream: importStream
}
