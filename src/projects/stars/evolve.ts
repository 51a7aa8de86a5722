import type { StarEvent } from "./events.ts"
import type { State } from "./state.ts"

export const evolve = (_: State, event: StarEvent): State => ({
  _tag: event._tag === "ProjectStarred" ? "Starred" : "Unstarred"
})
