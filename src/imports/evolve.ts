import type { ImportEvent } from "./events.ts"
import type { State } from "./state.ts"

/** Events of an import that is not under way change nothing, and a cancelled one stays cancelled. */
export const evolve = (state: State, event: ImportEvent): State => {
  if (event._tag === "ImportScheduled") {
    const isRunning = state._tag === "Scheduled" || state._tag === "Started"
    return isRunning || state._tag === "Cancelled" ? state : { _tag: "Scheduled", source: event.source }
  }
  if (state._tag !== "Scheduled" && state._tag !== "Started") return state
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
