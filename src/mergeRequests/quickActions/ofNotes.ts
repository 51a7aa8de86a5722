import { Effect } from "effect"
import type { WireError } from "../../http/answer/errors.ts"
import type { JsonObject } from "../../http/answer/success.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { defined } from "../../kernel/defined.ts"
import { inSlices } from "../../kernel/inSlices.ts"
import { load } from "../../platform/Commands.ts"
import { noteIssuesSoon } from "../closing/noteIssuesToClose.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { Present } from "../decisions/state.ts"
import { mayUpdate, requirePresent, requireVisible } from "../requireMergeRequest.ts"
import { updatePresent } from "../writes/change.ts"
import { changesOf } from "../writes/input.ts"
import { type Ordered, outcomeOf, perform } from "./actions.ts"
import { isNoteOnly, type NoteOnlyAction, parseNoteAction, type QuickAction } from "./commands.ts"
import { type Orders, ordersOf, type ResolvedNames } from "./perform.ts"
import { allowedAmong, beforeOf } from "./quickActions.ts"
import { readingQuickActions } from "./read.ts"
import { resolveNames } from "./resolveNames.ts"

/** The quick actions of a note, and its text without them. */
export const readNote = (body: string) => inSlices(readingQuickActions(body, "", parseNoteAction))

/** Adds a to-do of the caller for the merge request, or ends it: answers whether that did anything. */
export type TodoActions<R> = Readonly<Record<"AddTodo" | "FinishTodo", Effect.Effect<boolean, WireError, R>>>

const isOrdered = ({ parameters, time }: Orders): boolean => Object.keys(parameters).length + time.length > 0

/** Changes what is ordered, or nothing of it where any of it is refused. */
const changed = Effect.fnUntraced(function* (orders: Orders, state: Present, { caller, externalUrl, found, row }: Ordered) {
  const key = { projectId: row.project_id, iid: row.iid }
  const update = yield* changesOf(orders.parameters, state, { target: found, caller })
  const { stream } = yield* updatePresent(key, state, { by: caller.user.id, ...update, time: orders.time })
  yield* noteIssuesSoon(key, { externalUrl, home: found.project })
  const { position } = yield* load(mergeRequestAggregate, key)
  yield* awaitReadModels({ stream, position })
  return true
})

const spentBy = (time: Orders["time"]) => {
  const spent = time.findLast((order) => order._tag !== "EstimateTime")
  if (spent === undefined) return undefined
  return { duration: spent._tag === "SpendTime" ? spent.seconds : "reset", user_id: spent.by }
}

/** What is changed, by the names that the reference has for it. Gap: those of notes alone but to-dos and subscriptions are not shown. */
const toldChanges = ({ parameters, time }: Orders, { labels }: ResolvedNames): JsonObject => {
  const { add_labels, labels: all, milestone_id, remove_labels, ...others } = parameters
  const idsOf = (titles: ReadonlyArray<string> | undefined) => titles?.flatMap((title) => labels.get(title) ?? [])
  const unlessEmpty = (ids: ReadonlyArray<number> | undefined) => (ids?.length === 0 ? undefined : ids)
  return defined({
    ...others,
    label_ids: idsOf(all),
    add_label_ids: unlessEmpty(idsOf(add_labels)),
    remove_label_ids: unlessEmpty(idsOf(remove_labels)),
    milestone_id: milestone_id === 0 ? null : milestone_id,
    time_estimate: time.findLast((order) => order._tag === "EstimateTime")?.seconds,
    spend_time: spentBy(time)
  })
}

const toldAction = (action: NoteOnlyAction, sha: string): JsonObject => {
  switch (action) {
    case "AddTodo":
    case "FinishTodo":
      return { todo_event: action === "AddTodo" ? "add" : "done" }
    case "Subscribe":
    case "Unsubscribe":
      return { subscription_event: action === "Subscribe" ? "subscribe" : "unsubscribe" }
    case "Approve":
    case "Unapprove":
      return { approve: action === "Approve" }
    case "Rebase":
      return { rebase: sha }
    case "Merge":
      return { merge: sha }
  }
}

/** Only a merge is done later. */
const mergeScheduled = "Scheduled to merge this merge request (Merge when checks pass)."

interface Execution extends Omit<Ordered, "row"> {
  readonly iid: number
}

/**
 * Does what the quick actions of a note order, as far as their caller may: what is changed first, then what is done beside. Answers what
 * came of it, with a sentence for each.
 */
export const executeQuickActions = Effect.fnUntraced(function* <R>(
  actions: ReadonlyArray<QuickAction>,
  execution: Execution,
  todos: TodoActions<R>
) {
  const { caller, found, iid } = execution
  const row = yield* requireVisible(found, iid)
  const state = yield* requirePresent(found, { projectId: row.project_id, iid })
  const ordered: Ordered = { ...execution, row }
  const sourceBranch = row.source_project_id === row.project_id ? row.source_branch : undefined
  const changing = actions.filter((action) => !isNoteOnly(action))
  const allowed = mayUpdate(found, row, caller.user.id) ? allowedAmong(changing, { target: found, sourceBranch, caller }) : []
  const resolved = yield* resolveNames(allowed, found, caller)
  const orders = ordersOf([...allowed, ...actions.filter(isNoteOnly)], beforeOf({}, state.request.attributes), resolved)
  const isChanged = isOrdered(orders) && (yield* Effect.orElseSucceed(changed(orders, state, ordered), () => false))
  let changes: JsonObject = isChanged ? toldChanges(orders, resolved) : {}
  const summary = isChanged ? [...orders.summary] : []
  for (const { action, sentence } of orders.further) {
    const isTodo = action === "AddTodo" || action === "FinishTodo"
    const outcome = yield* isTodo ? Effect.map(todos[action], outcomeOf) : perform(action, ordered)
    if (outcome === "nothing") continue
    changes = { ...changes, ...toldAction(action, row.sha) }
    summary.push(outcome === "scheduled" ? mergeScheduled : sentence)
  }
  return { changes, summary }
})
