import { Result } from "effect"
import type { Command } from "./commands.ts"
import { ImportNotUnderWay, ImportUnderWay, type Refusal } from "./errors.ts"
import { ImportEvent } from "./events.ts"
import type { State } from "./state.ts"

type Decision = Result.Result<ReadonlyArray<ImportEvent>, Refusal>
type Running = Extract<State, { readonly _tag: "Scheduled" | "Started" }>

const event = ImportEvent.cases
const nothing: Decision = Result.succeed([])
const one = (happened: ImportEvent): Decision => Result.succeed([happened])

const isRunning = (state: State): state is Running => state._tag === "Scheduled" || state._tag === "Started"

const proceed = (command: Exclude<Command, { readonly _tag: "Schedule" }>, state: Running): Decision => {
  switch (command._tag) {
    case "Start":
      return state._tag === "Started" ? nothing : one(event.ImportStarted.make({}))
    case "Progress": {
      const { percent } = command
      return state._tag === "Started" && percent > state.percent ? one(event.ImportProgressed.make({ percent })) : nothing
    }
    case "Finish":
      return one(event.ImportFinished.make({ branches: command.branches, tags: command.tags }))
    case "Fail":
      return one(event.ImportFailed.make({ reason: command.reason }))
    case "Cancel":
      return one(event.ImportCancelled.make({}))
  }
}

/** What is over may be scheduled again, but for a project that is gone. A second start, after a crash, changes nothing. */
export const decide = (command: Command, state: State): Decision => {
  if (command._tag !== "Schedule") return isRunning(state) ? proceed(command, state) : Result.fail(new ImportNotUnderWay())
  if (isRunning(state)) return Result.fail(new ImportUnderWay())
  if (state._tag === "Cancelled") return Result.fail(new ImportNotUnderWay())
  return one(event.ImportScheduled.make({ source: command.source }))
}
