import { Clock, Effect } from "effect"
import type { Caller } from "../../http/access/Caller.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { handle } from "../../platform/Commands.ts"
import type { ReadableProject } from "../../projects/Projects.ts"
import { mayApprove } from "../approvals/rights.ts"
import { isAutoMergeSet, mergeWhenReady } from "../autoMerge/mergeWhenReady.ts"
import { awaitMergeRequest } from "../awaitMergeRequest.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { Command } from "../decisions/commands.ts"
import { merge } from "../merging/merge.ts"
import { type Command as Subscription, subscriptionAggregate } from "../participation/aggregate.ts"
import type { MergeRequestRow } from "../Queries.ts"
import { rebaseObstacle, subjectOf } from "../rebasing/rights.ts"
import { mayMerge } from "../view.ts"
import { completeMerge } from "../writes/complete.ts"
import type { NoteOnlyAction } from "./commands.ts"

/** Who orders something of a merge request, which they see. */
export interface Ordered {
  readonly row: MergeRequestRow
  readonly found: ReadableProject
  readonly caller: Caller
  readonly externalUrl: string
}

/** What came of an order. */
export type Outcome = "nothing" | "done" | "scheduled"

export const outcomeOf = (isDone: boolean): Outcome => (isDone ? "done" : "nothing")

const keyOf = ({ iid, project_id }: MergeRequestRow) => ({ projectId: project_id, iid })

/** Whether the command did anything. */
const sent = Effect.fnUntraced(function* (command: Command, { row }: Ordered) {
  const handled = yield* handle(mergeRequestAggregate, keyOf(row), command)
  yield* awaitReadModels(handled)
  return handled.events.length > 0
})

const subscribed = Effect.fnUntraced(function* (_tag: Subscription["_tag"], { caller, row }: Ordered) {
  const handled = yield* handle(subscriptionAggregate, { ...keyOf(row), userId: caller.user.id }, { _tag })
  yield* awaitReadModels(handled)
  return handled.events.length > 0
})

const approved = (_tag: "Approve" | "Unapprove", ordered: Ordered) =>
  mayApprove(ordered.found, ordered.row, ordered.caller)
    ? sent({ _tag, by: ordered.caller.user.id }, ordered)
    : Effect.succeed(false)

const rebased = Effect.fnUntraced(function* (ordered: Ordered) {
  const { caller, row } = ordered
  if ((yield* rebaseObstacle(caller.user, subjectOf(row))) !== undefined) return false
  const at = yield* Clock.currentTimeMillis
  return yield* sent({ _tag: "RequestRebase", by: caller.user.id, at, skipsPipelines: false }, ordered)
})

/**
 * Merges once all that it waits for is there, such as the pipeline of its last commit, and now where there is nothing to wait for. What an earlier
 * run of the request has begun, and cut short, is ended.
 */
const merged = Effect.fnUntraced(function* (ordered: Ordered) {
  const { caller, externalUrl, found, row } = ordered
  const key = keyOf(row)
  if (!(yield* mayMerge(found, row))) return "nothing"
  const merging = { row, found, merger: caller.user, externalUrl }
  const wanted = { sha: row.sha, removesSourceBranch: null }
  yield* Effect.ignore(Effect.catch(mergeWhenReady(merging, wanted), () => merge(merging, wanted)))
  const isMerged = yield* completeMerge(key)
  const isScheduled = !isMerged && (yield* isAutoMergeSet(key))
  yield* awaitMergeRequest(key)
  return isScheduled ? "scheduled" : outcomeOf(isMerged)
})

const performed = (action: Exclude<NoteOnlyAction, "AddTodo" | "FinishTodo">, ordered: Ordered) => {
  switch (action) {
    case "Subscribe":
    case "Unsubscribe":
      return Effect.map(subscribed(action, ordered), outcomeOf)
    case "Approve":
    case "Unapprove":
      return Effect.map(approved(action, ordered), outcomeOf)
    case "Rebase":
      return Effect.map(rebased(ordered), outcomeOf)
    case "Merge":
      return merged(ordered)
  }
}

/** Does it, as far as the caller may and it can be done. */
export const perform = (action: Exclude<NoteOnlyAction, "AddTodo" | "FinishTodo">, ordered: Ordered) =>
  Effect.orElseSucceed(performed(action, ordered), () => outcomeOf(false))
