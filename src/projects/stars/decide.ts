import { Result } from "effect"
import type { Command } from "./commands.ts"
import { StarEvent } from "./events.ts"
import type { State } from "./state.ts"

const event = StarEvent.cases

/** A star that is given already, or was not given, stays as it is. */
export const decide = ({ _tag, projectId, userId }: Command, state: State): Result.Result<ReadonlyArray<StarEvent>> => {
  const star = { projectId, userId }
  switch (_tag) {
    case "Star":
      return Result.succeed(state._tag === "Starred" ? [] : [event.ProjectStarred.make(star)])
    case "Unstar":
      return Result.succeed(state._tag === "Unstarred" ? [] : [event.ProjectUnstarred.make(star)])
  }
}
