import { Match } from "effect"
import { printDuration } from "../../kernel/humanDuration.ts"
import type { TimeOrder } from "../decisions/commands.ts"
import { markDraft, unmarkDraft } from "../text/drafts.ts"
import type { NoteOnlyAction, QuickAction } from "./commands.ts"

type Ids = ReadonlyArray<number>
type Names = ReadonlyArray<string>

/** What quick actions change, as parameters say it that ask for the same: whoever may not change it changes nothing. */
export interface OrderedParameters {
  readonly title?: string
  readonly target_branch?: string
  readonly assignee_ids?: Ids
  readonly reviewer_ids?: Ids
  readonly labels?: Names
  readonly add_labels?: Names
  readonly remove_labels?: Names
  readonly milestone_id?: number
  readonly discussion_locked?: boolean
  readonly state_event?: "close" | "reopen"
}

/** What actions start from, and go on from. */
export interface Before {
  readonly title: string
  readonly assigneeIds: Ids
  readonly reviewerIds: Ids
  readonly addedLabels: Names
  readonly removedLabels: Names
}

/** What the names in the actions stand for; those that are not there stand for nothing. */
export interface ResolvedNames {
  /** The user who orders, and who is meant by `me`. */
  readonly by: number
  readonly username: string
  /** The ids of people by their names as they are written, of milestones and labels by their titles. */
  readonly people: ReadonlyMap<string, number>
  readonly milestones: ReadonlyMap<string, number>
  readonly labels: ReadonlyMap<string, number>
  readonly branches: ReadonlySet<string>
}

/** What one action comes to. */
interface Order {
  readonly parameters?: OrderedParameters
  readonly time?: TimeOrder
  readonly action?: NoteOnlyAction
  /** What it does. */
  readonly sentence: string
}

export interface Orders {
  readonly parameters: OrderedParameters
  readonly time: ReadonlyArray<TimeOrder>
  /** What these do. */
  readonly summary: ReadonlyArray<string>
  /** What is to be done beside, with what tells that it was. */
  readonly further: ReadonlyArray<{ readonly action: NoteOnlyAction; readonly sentence: string }>
}

const union = <A>(some: ReadonlyArray<A>, more: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set([...some, ...more])]
const without = <A>(all: ReadonlyArray<A>, some: ReadonlyArray<A>): ReadonlyArray<A> => all.filter((one) => !some.includes(one))

/** The names in a sentence. */
const told = (names: Names, mark: string): string =>
  names.length === 0 ? "all" : names.map((name) => `${mark}${name}`).join(" ")

/** What an action with names comes to for those of them that stand for something; nothing where it has some, but none does. */
const forKnown = (names: Names, isKnown: (name: string) => boolean, order: (known: Names) => Order): Order | undefined => {
  const known = names.filter(isKnown)
  return known.length === 0 && names.length > 0 ? undefined : order(known)
}

/** What each action does; undefined where it does nothing. */
const orderOf = (action: QuickAction, before: Before, resolved: ResolvedNames): Order | undefined => {
  const { addedLabels, assigneeIds, removedLabels, reviewerIds, title } = before
  const { branches, by, milestones, people } = resolved
  const ofPeople = (usernames: Names, parametersFor: (ids: Ids) => OrderedParameters, verb: string) =>
    forKnown(
      usernames,
      (username) => people.has(username),
      (known) => ({
        parameters: parametersFor(known.flatMap((username) => people.get(username) ?? [])),
        sentence: `${verb} ${told(
          known.map((username) => (username === "me" ? resolved.username : username)),
          "@"
        )}.`
      })
    )
  const assign = (usernames: Names, change: (ids: Ids) => Ids, verb: string) =>
    ofPeople(usernames, (ids) => ({ assignee_ids: change(ids) }), verb)
  const review = (usernames: Names, change: (ids: Ids) => Ids, verb: string) =>
    ofPeople(usernames, (ids) => ({ reviewer_ids: change(ids) }), verb)
  const label = (names: Names, parametersFor: (known: Names) => OrderedParameters, verb: string) =>
    forKnown(
      names,
      (name) => resolved.labels.has(name),
      (known) => ({ parameters: parametersFor(known), sentence: `${verb} ${told(known, "~")}.` })
    )
  return Match.valueTags(action, {
    AddLabels: ({ names }) =>
      label(
        names,
        (known) => ({ add_labels: union(addedLabels, known), remove_labels: without(removedLabels, known) }),
        "Added labels"
      ),
    RemoveLabels: ({ names }) =>
      label(
        names,
        (known) =>
          known.length === 0
            ? { labels: [], add_labels: [], remove_labels: [] }
            : { add_labels: without(addedLabels, known), remove_labels: union(removedLabels, known) },
        "Removed labels"
      ),
    SetLabels: ({ names }) =>
      label(names, (known) => ({ labels: known, add_labels: [], remove_labels: [] }), "Replaced all labels with"),
    Assign: ({ usernames }) => assign(usernames, (ids) => union(assigneeIds, ids), "Assigned"),
    Reassign: ({ usernames }) => assign(usernames, (ids) => ids, "Assigned nobody but"),
    Unassign: ({ usernames }) =>
      assign(usernames, (ids) => (ids.length === 0 ? [] : without(assigneeIds, ids)), "Removed assignees"),
    RequestReview: ({ usernames }) => review(usernames, (ids) => union(reviewerIds, ids), "Requested a review from"),
    SetReviewers: ({ usernames }) => review(usernames, (ids) => ids, "Requested a review from nobody but"),
    RemoveReviewers: ({ usernames }) =>
      review(usernames, (ids) => (ids.length === 0 ? [] : without(reviewerIds, ids)), "Removed reviewers"),
    SetMilestone: ({ title: name }) => {
      const id = milestones.get(name)
      return id === undefined ? undefined : { parameters: { milestone_id: id }, sentence: `Set the milestone to %${name}.` }
    },
    RemoveMilestone: (): Order => ({ parameters: { milestone_id: 0 }, sentence: "Removed the milestone." }),
    SetTitle: ({ title: other }): Order => ({ parameters: { title: other }, sentence: `Changed the title to "${other}".` }),
    MarkDraft: (): Order => ({ parameters: { title: markDraft(title) }, sentence: "Marked this merge request as a draft." }),
    MarkReady: (): Order => ({ parameters: { title: unmarkDraft(title) }, sentence: "Marked this merge request as ready." }),
    SetTargetBranch: ({ branch }) =>
      branches.has(branch) ? { parameters: { target_branch: branch }, sentence: `Set target branch to ${branch}.` } : undefined,
    Close: (): Order => ({ parameters: { state_event: "close" }, sentence: "Closed this merge request." }),
    Reopen: (): Order => ({ parameters: { state_event: "reopen" }, sentence: "Reopened this merge request." }),
    Lock: (): Order => ({ parameters: { discussion_locked: true }, sentence: "Locked the discussion." }),
    Unlock: (): Order => ({ parameters: { discussion_locked: false }, sentence: "Unlocked the discussion." }),
    SetEstimate: ({ seconds }): Order => ({
      time: { _tag: "EstimateTime", seconds },
      sentence: `Set time estimate to ${printDuration(seconds) ?? "0"}.`
    }),
    RemoveEstimate: (): Order => ({ time: { _tag: "EstimateTime", seconds: 0 }, sentence: "Removed time estimate." }),
    SpendTime: ({ seconds }): Order => ({
      time: { _tag: "SpendTime", by, seconds, summary: null },
      sentence: `${seconds < 0 ? "Subtracted" : "Added"} ${printDuration(Math.abs(seconds)) ?? "0"} spent time.`
    }),
    AddTodo: (): Order => ({ action: "AddTodo", sentence: "Added a to-do item." }),
    FinishTodo: (): Order => ({ action: "FinishTodo", sentence: "Marked to-do item as done." }),
    Subscribe: (): Order => ({ action: "Subscribe", sentence: "Subscribed to notifications." }),
    Unsubscribe: (): Order => ({ action: "Unsubscribe", sentence: "Unsubscribed from notifications." }),
    Approve: (): Order => ({ action: "Approve", sentence: "Approved the current merge request." }),
    Unapprove: (): Order => ({ action: "Unapprove", sentence: "Unapproved the current merge request." }),
    Rebase: (): Order => ({ action: "Rebase", sentence: "Scheduled a rebase." }),
    Merge: (): Order => ({ action: "Merge", sentence: "Merged this merge request." }),
    RemoveTimeSpent: (): Order => ({ time: { _tag: "ResetSpentTime", by }, sentence: "Removed spent time." })
  })
}

/** What actions come to together, each on what those before it have left. */
export const ordersOf = (actions: ReadonlyArray<QuickAction>, before: Before, resolved: ResolvedNames): Orders => {
  let now = before
  let parameters: OrderedParameters = {}
  const time: Array<TimeOrder> = []
  const summary: Array<string> = []
  const further: Array<Orders["further"][number]> = []
  for (const action of actions) {
    const order = orderOf(action, now, resolved)
    if (order === undefined) continue
    parameters = { ...parameters, ...order.parameters }
    now = {
      title: parameters.title ?? before.title,
      assigneeIds: parameters.assignee_ids ?? before.assigneeIds,
      reviewerIds: parameters.reviewer_ids ?? before.reviewerIds,
      addedLabels: parameters.add_labels ?? before.addedLabels,
      removedLabels: parameters.remove_labels ?? before.removedLabels
    }
    if (order.time !== undefined) time.push(order.time)
    if (order.action === undefined) summary.push(order.sentence)
    else further.push({ action: order.action, sentence: order.sentence })
  }
  return { parameters, time, summary, further }
}
