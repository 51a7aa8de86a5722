import { Data, Result } from "effect"
import type { Aggregate } from "../../platform/Aggregate.ts"
import type { MergeRequestKey } from "../ids.ts"
import { ContextCommitsEvent, contextCommitsCodec } from "./events.ts"
import { contextStream } from "./ids.ts"

/** So many commits may be shown beside those of a merge request. */
export const maxContextCommits = 200

/** The full ids of commits that are shown beside those of a merge request, in the order in which they were added. */
export type State = ReadonlyArray<string>

export interface Command {
  readonly _tag: "Add" | "Remove"
  readonly shas: ReadonlyArray<string>
  readonly by: number
}

/** These are shown already. */
export class ContextCommitsExist extends Data.TaggedError("ContextCommitsExist")<{ readonly shas: ReadonlyArray<string> }> {}
/** No more may be shown. */
export class TooManyContextCommits extends Data.TaggedError("TooManyContextCommits")<{ readonly limit: number }> {}

type Refusal = ContextCommitsExist | TooManyContextCommits

const { cases } = ContextCommitsEvent

const decide = ({ _tag, by, shas }: Command, state: State): Result.Result<ReadonlyArray<ContextCommitsEvent>, Refusal> => {
  const known = shas.filter((sha) => state.includes(sha))
  if (_tag === "Remove") {
    return Result.succeed(known.length === 0 ? [] : [cases.ContextCommitsRemoved.make({ shas: known, by })])
  }
  if (known.length > 0) return Result.fail(new ContextCommitsExist({ shas: known }))
  if (state.length + shas.length > maxContextCommits) return Result.fail(new TooManyContextCommits({ limit: maxContextCommits }))
  return Result.succeed([cases.ContextCommitsAdded.make({ shas, by })])
}

const evolve = (state: State, event: ContextCommitsEvent): State =>
  ContextCommitsEvent.match(event, {
    ContextCommitsAdded: ({ shas }) => [...state, ...shas],
    ContextCommitsRemoved: ({ shas }) => state.filter((sha) => !shas.includes(sha))
  })

/** What is shown beside the commits of a merge request is decided apart from it: nothing else of it depends on that. */
export const contextCommitsAggregate: Aggregate<MergeRequestKey, Command, State, ContextCommitsEvent, Refusal> = {
  initial: [],
  decide,
  evolve,
  codec: contextCommitsCodec,
  stream: contextStream
}
