import { Result } from "effect"
import { MergeRequestEvent } from "../events.ts"
import { type Decision, type EndRebase, NotOpen, type PlanRebase, RebaseRunning, type RequestRebase } from "./commands.ts"
import type { MergeRequest, Present } from "./state.ts"

const { cases } = MergeRequestEvent
const nothing: Decision = Result.succeed([])
const one = (event: MergeRequestEvent): Decision => Result.succeed([event])

/** Whoever asks a second time is told that one is under way. */
export const requestRebase = ({ _tag, ...asked }: RequestRebase, state: Present): Decision => {
  if (state._tag !== "Opened") return Result.fail(new NotOpen())
  if (state.request.rebase !== undefined) return Result.fail(new RebaseRunning())
  return one(cases.RebaseRequested.make(asked))
}

/** The first plan counts. One for another target branch than that of now is none. */
export const planRebase = ({ number, plan, targetBranch }: PlanRebase, { attributes, rebase }: MergeRequest): Decision =>
  rebase?.number === number && rebase.plan === undefined && targetBranch === attributes.targetBranch
    ? one(cases.RebasePlanned.make(plan))
    : nothing

export const endRebase = ({ error, number }: EndRebase, { rebase }: MergeRequest): Decision => {
  if (rebase?.number !== number) return nothing
  return one(error === undefined ? cases.MergeRequestRebased.make({}) : cases.RebaseFailed.make({ error }))
}
