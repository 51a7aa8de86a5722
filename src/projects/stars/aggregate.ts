import { Result } from "effect"
import type { Aggregate } from "../../platform/Aggregate.ts"
import { StarEvent, starCodec } from "./events.ts"
import { type StarId, starStream } from "./ids.ts"

export type State = { readonly _tag: "Unstarred" } | { readonly _tag: "Starred" }

const initial: State = { _tag: "Unstarred" }

export type Command = ({ readonly _tag: "Star" } & StarId) | ({ readonly _tag: "Unstar" } & StarId)

const { cases } = StarEvent

/** A star that is given already, or was not given, stays as it is. */
const decide = ({ _tag, projectId, userId }: Command, state: State): Result.Result<ReadonlyArray<StarEvent>> => {
  const star = { projectId, userId }
  switch (_tag) {
    case "Star":
      return Result.succeed(state._tag === "Starred" ? [] : [cases.ProjectStarred.make(star)])
    case "Unstar":
      return Result.succeed(state._tag === "Unstarred" ? [] : [cases.ProjectUnstarred.make(star)])
  }
}

const evolve = (_: State, event: StarEvent): State => ({
  _tag: event._tag === "ProjectStarred" ? "Starred" : "Unstarred"
})

export const starAggregate: Aggregate<StarId, Command, State, StarEvent, never> = {
  initial,
  decide,
  evolve,
  codec: starCodec,
  stream: starStream
}
