import { Effect } from "effect"
import type { WireError } from "../../http/answer/errors.ts"
import type { JsonObject } from "../../http/answer/success.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { defined } from "../../kernel/defined.ts"
import { inSlices } from "../../kernel/inSlices.ts"
import { load } from "../../platform/Commands.ts"
import { mergeRequestAggregate } from "../aggregate.ts"
import { noteIssuesSoon } from "../closing/noteIssuesToClose.ts"
import { changesOf } from "../input.ts"
import { mayUpdate, requireVisible } from "../requireMergeRequest.ts"
import { updateMergeRequest } from "../writes/change.ts"
import { type Deed, isDeed, parseNoteAction, type QuickAction } from "./commands.ts"
import { type Ordered, perform } from "./deeds.ts"
import { meaningsOf } from "./meanings.ts"
import { type Meanings, type Orders, ordersOf } from "./perform.ts"
import { allowedAmong, beforeOf, presentOf } from "./quickActions.ts"
import { readingQuickActions } from "./read.ts"

/** The quick actions of a note, and its text without them. */
export const readNote = (body: string) => inSlices(readingQuickActions(body, "", parseNoteAction))

/** Adds a to-do of the caller for the merge request, or ends it: answers whether that did anything. */
export type TodoDeeds<R> = Readonly<Record<"AddTodo" | "FinishTodo", Effect.Effect<boolean, WireError, R>>>

const isOrdered = ({ parameters, time }: Orders): boolean => Object.keys(parameters).length + time.length > 0

/** Changes what is ordered, or nothing of it where any of it is refused. */
const changed = Effect.fnUntraced(function* (orders: Orders, { caller, externalUrl, found, row }: Ordered) {
  const key = { projectId: row.project_id, iid: row.iid }
  const update = yield* changesOf(orders.parameters, row, { target: found, caller })
  const { stream } = yield* updateMergeRequest(key, { by: caller.user.id, ...update, time: orders.time })
  yield* noteIssuesSoon(key, externalUrl)
  const { position } = yield* load(mergeRequestAggregate, key)
  yield* awaitReadModels({ stream, position })
  return true
})

const spentBy = (time: Orders["time"]) => {
  const spent = time.findLast((order) => order._tag !== "EstimateTime")
  if (spent === undefined) return undefined
  return { duration: spent._tag === "SpendTime" ? spent.seconds : "reset", user_id: spent.by }
}

/** What is changed, by the names that the reference has for it. Gap: those of deeds but to-dos and subscriptions are not shown. */
const toldChanges = ({ parameters, time }: Orders, { labels }: Meanings): JsonObject => {
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

const toldDeed = (deed: Deed, sha: string): JsonObject => {
  switch (deed) {
    case "AddTodo":
    case "FinishTodo":
      return { todo_event: deed === "AddTodo" ? "add" : "done" }
    case "Subscribe":
    case "Unsubscribe":
      return { subscription_event: deed === "Subscribe" ? "subscribe" : "unsubscribe" }
    case "Approve":
    case "Unapprove":
      return { approve: deed === "Approve" }
    case "Rebase":
      return { rebase: sha }
    case "Merge":
      return { merge: sha }
  }
}

interface Obeying extends Omit<Ordered, "row"> {
  readonly iid: number
}

/**
 * Does what the quick actions of a note order, as far as their caller may: what is changed first, then what is done beside. Answers what
 * came of it, with a sentence for each.
 */
export const obey = Effect.fnUntraced(function* <R>(actions: ReadonlyArray<QuickAction>, obeying: Obeying, todos: TodoDeeds<R>) {
  const { caller, found, iid } = obeying
  const row = yield* requireVisible(found, iid)
  const ordered: Ordered = { ...obeying, row }
  const sourceBranch = row.source_project_id === row.project_id ? row.source_branch : undefined
  const changing = actions.filter((action) => !isDeed(action))
  const allowed = mayUpdate(found, row, caller.user.id) ? allowedAmong(changing, { target: found, sourceBranch, caller }) : []
  const meanings = yield* meaningsOf(allowed, found, caller)
  const orders = ordersOf([...allowed, ...actions.filter(isDeed)], beforeOf({}, presentOf(row)), meanings)
  const isChanged = isOrdered(orders) && (yield* Effect.catch(changed(orders, ordered), () => Effect.succeed(false)))
  let changes: JsonObject = isChanged ? toldChanges(orders, meanings) : {}
  const summary = isChanged ? [...orders.summary] : []
  for (const { deed, sentence } of orders.deeds) {
    const isDone = yield* deed === "AddTodo" || deed === "FinishTodo" ? todos[deed] : perform(deed, ordered)
    if (!isDone) continue
    changes = { ...changes, ...toldDeed(deed, row.sha) }
    summary.push(sentence)
  }
  return { changes, summary }
})
