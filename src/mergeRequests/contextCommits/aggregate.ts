import { Data, Result } from "effect"
import type { Aggregate } from "../../platform/Aggregate.ts"
import type { MergeRequestKey } from "../ids.ts"
import { type ContextCommit, ContextCommitsEvent, contextCommitsCodec } from "./events.ts"
import { contextCommitsStream } from "./ids.ts"

/** So many commits may be shown beside those of a merge request. */
export const maxContextCommits = 200

/** The commits that are shown beside those of a merge request, in the order in which they were added. */
export type State = ReadonlyArray<ContextCommit>

export type Command =
  | { readonly _tag: "Add"; readonly commits: ReadonlyArray<ContextCommit>; readonly by: number }
  | { readonly _tag: "Remove"; readonly shas: ReadonlyArray<string>; readonly by: number }

/** These are shown already. */
export class ContextCommitsExist extends Data.TaggedError("ContextCommitsExist")<{ readonly shas: ReadonlyArray<string> }> {}
/** No more may be shown. */
export class TooManyContextCommits extends Data.TaggedError("TooManyContextCommits")<{ readonly limit: number }> {}

type Refusal = ContextCommitsExist | TooManyContextCommits

const { cases } = ContextCommitsEvent

const decide = (command: Command, state: State): Result.Result<ReadonlyArray<ContextCommitsEvent>, Refusal> => {
  const { by } = command
  const known = (shas: ReadonlyArray<string>) => shas.filter((sha) => state.some((commit) => commit.sha === sha))
  if (command._tag === "Remove") {
    const shas = known(command.shas)
    return Result.succeed(shas.length === 0 ? [] : [cases.ContextCommitsRemoved.make({ shas, by })])
  }
  const { commits } = command
  const shas = known(commits.map(({ sha }) => sha))
  if (shas.length > 0) return Result.fail(new ContextCommitsExist({ shas }))
  if (state.length + commits.length > maxContextCommits)
    return Result.fail(new TooManyContextCommits({ limit: maxContextCommits }))
  return Result.succeed([cases.ContextCommitsAdded.make({ commits, by })])
}

const evolve = (state: State, event: ContextCommitsEvent): State =>
  ContextCommitsEvent.match(event, {
    ContextCommitsAdded: ({ commits }) => [...state, ...commits],
    ContextCommitsRemoved: ({ shas }) => state.filter(({ sha }) => !shas.includes(sha))
  })

/** What is shown beside the commits of a merge request is decided apart from it: nothing else of it depends on that. */
export const contextCommitsAggregate: Aggregate<MergeRequestKey, Command, State, ContextCommitsEvent, Refusal> = {
  initial: [],
  decide,
  evolve,
  codec: contextCommitsCodec,
  stream: contextCommitsStream
}
