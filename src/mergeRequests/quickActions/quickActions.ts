import { Effect } from "effect"
import type { Caller } from "../../http/access/Caller.ts"
import { assigneesIn } from "../../issuables/people.ts"
import { defined } from "../../kernel/defined.ts"
import { inSlices } from "../../kernel/inSlices.ts"
import { can, type ReadableProject } from "../../projects/Projects.ts"
import type { TimeOrder } from "../decisions/commands.ts"
import type { Attributes } from "../events.ts"
import type { QuickAction } from "./commands.ts"
import { type Before, type OrderedParameters, ordersOf } from "./perform.ts"
import { readingQuickActions } from "./read.ts"
import { resolveNames } from "./resolveNames.ts"

export interface Ordering {
  /** The project into which is to be merged. */
  readonly target: ReadableProject
  /** The source branch, where it is one of the same project: it cannot be the target. */
  readonly sourceBranch: string | undefined
  readonly caller: Pick<Caller, "user">
}

/** Whoever may change a merge request may do these; the others need a role in the project. */
const forAll: ReadonlySet<QuickAction["_tag"]> = new Set([
  "SetTitle",
  "MarkDraft",
  "MarkReady",
  "SetTargetBranch",
  "Close",
  "Reopen"
])

/** The quick actions that somebody may do who may change the merge request. */
export const allowedAmong = (actions: ReadonlyArray<QuickAction>, { sourceBranch, target }: Ordering) => {
  const isDeveloper = can("update_merge_request", target.principal, target.project)
  return actions.filter(
    (action) => (isDeveloper || forAll.has(action._tag)) && !(action._tag === "SetTargetBranch" && action.branch === sourceBranch)
  )
}

/** What the quick actions come to, as far as the caller may do it. */
export const allowedOrders = Effect.fnUntraced(function* (
  actions: ReadonlyArray<QuickAction>,
  before: Before,
  ordering: Ordering
) {
  const allowed = allowedAmong(actions, ordering)
  return ordersOf(allowed, before, yield* resolveNames(allowed, ordering.target, ordering.caller))
})

/** Parameters of a new merge request, or of a change of one. */
interface Parameters {
  readonly title?: string | null
  readonly description?: string | null
  readonly assignee_id?: number | null
  readonly assignee_ids?: ReadonlyArray<number> | null
  readonly reviewer_ids?: ReadonlyArray<number> | null
  readonly add_labels?: ReadonlyArray<string> | null
  readonly remove_labels?: ReadonlyArray<string> | null
}

/** What a merge request has; a new one has nothing. */
type Present = Pick<Attributes, "assigneeIds" | "description" | "reviewerIds" | "title">

export const unopened: Present = { title: "", description: null, assigneeIds: [], reviewerIds: [] }

const bothOf = (some: ReadonlyArray<string> | undefined, more: ReadonlyArray<string> | null | undefined) =>
  some === undefined ? (more ?? undefined) : [...(more ?? []), ...some]

/** The parameters that ask for the same, and for what is ordered, which wins. */
const combined = <P extends Parameters>(parameters: P, ordered: OrderedParameters, description: string) => {
  const { assignee_id, assignee_ids, ...others } = parameters
  return {
    ...others,
    ...ordered,
    description,
    ...defined({
      assignee_ids: ordered.assignee_ids ?? assigneesIn(parameters),
      add_labels: bothOf(ordered.add_labels, parameters.add_labels),
      remove_labels: bothOf(ordered.remove_labels, parameters.remove_labels)
    })
  }
}

/** What a merge request has by the parameters. */
export const beforeOf = (parameters: Parameters, present: Present): Before => ({
  title: parameters.title ?? present.title,
  assigneeIds: assigneesIn(parameters) ?? present.assigneeIds,
  reviewerIds: parameters.reviewer_ids ?? present.reviewerIds,
  addedLabels: [],
  removedLabels: []
})

/** The parameters with what the quick actions in their description order, without these; and what is to be done with the time. */
export const withQuickActions = Effect.fnUntraced(function* <P extends Parameters>(
  parameters: P,
  present: Present,
  ordering: Ordering
) {
  const { description } = parameters
  const nothing: ReadonlyArray<TimeOrder> = []
  if (description === undefined || description === null) return { parameters, time: nothing }
  const { actions, text } = yield* inSlices(readingQuickActions(description, present.description ?? ""))
  if (text === description) return { parameters, time: nothing }
  const orders = yield* allowedOrders(actions, beforeOf(parameters, present), ordering)
  return { parameters: combined(parameters, orders.parameters, text), time: orders.time }
})
