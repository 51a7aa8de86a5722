import { Effect } from "effect"
import type { MergeRequestEvent } from "../../mergeRequests/events.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { userOf } from "../../platform/Origin.ts"
import { awaitVisible } from "../../platform/reactions/react.ts"
import type { Action } from "../events.ts"
import type { Target } from "../ids.ts"
import { TodoQueries } from "../Queries.ts"
import { addTodo, causeOf, finishTodo } from "../writes.ts"

type Of<Tag extends MergeRequestEvent["_tag"]> = Extract<MergeRequestEvent, { readonly _tag: Tag }>

interface Happened {
  readonly recorded: RecordedEvent
  readonly target: Target
}

/** A to-do for each of some users, once for each event. */
const addFor = (
  userIds: ReadonlyArray<number>,
  { recorded, target }: Happened,
  why: { readonly action: Action; readonly authorId: number }
) =>
  Effect.forEach(
    userIds,
    (userId) => addTodo({ userId, target, ...why, cause: causeOf(recorded) }, `${recorded.id}/${why.action}`),
    { discard: true }
  )

/** What waited for a user before. */
const finishFor = (userId: number, { recorded, target }: Happened) =>
  Effect.asVoid(finishTodo({ userId, target }, { cause: causeOf(recorded) }))

const onOpened = Effect.fnUntraced(function* (
  { assigneeIds, authorId, reviewerIds }: Of<"MergeRequestOpened">,
  happened: Happened
) {
  yield* addFor(assigneeIds, happened, { action: "assigned", authorId })
  yield* addFor(reviewerIds, happened, { action: "review_requested", authorId })
})

type People = "assigneeIds" | "reviewerIds"

/** Those who are in a role since a change, and were not before; nobody where an older event does not tell. */
const newcomers = (role: People, { before, changes }: Of<"MergeRequestChanged">): ReadonlyArray<number> => {
  const [were, are] = [before?.[role], changes[role]]
  return were === undefined || are === undefined ? [] : are.filter((id) => !were.includes(id))
}

/** Changes of these alone leave what waits for who made them. */
const unrelated = ["squash", "removesSourceBranch", "allowsCollaboration", "isDiscussionLocked"]

const onChanged = Effect.fnUntraced(function* (event: Of<"MergeRequestChanged">, happened: Happened) {
  const by = userOf(happened.recorded.metadata.actor)
  if (by === undefined) return
  if (Object.keys(event.changes).some((name) => !unrelated.includes(name))) yield* finishFor(by, happened)
  yield* addFor(newcomers("assigneeIds", event), happened, { action: "assigned", authorId: by })
  yield* addFor(newcomers("reviewerIds", event), happened, { action: "review_requested", authorId: by })
})

/** Its author is told of a conflict, unless it could not be merged before. */
const onChecked = Effect.fnUntraced(function* ({ failedBefore, verdict }: Of<"MergeabilityChecked">, happened: Happened) {
  if (verdict !== "conflict" || failedBefore === true) return
  yield* awaitVisible(happened.recorded)
  const author = yield* TodoQueries.use(({ authorOf }) => authorOf(happened.target))
  if (author !== undefined) yield* addFor([author], happened, { action: "unmergeable", authorId: author })
})

export const mergeRequestTypes = [
  "MergeRequestOpened",
  "MergeRequestChanged",
  "MergeRequestLabelsChanged",
  "MergeRequestMilestoneChanged",
  "MergeRequestClosed",
  "MergeRequestMerged",
  "MergeRequestApproved",
  "MergeabilityChecked"
] as const satisfies ReadonlyArray<MergeRequestEvent["_tag"]>

/** What follows from what happened to a merge request. Who labels, closes, merges or approves it has done what waited for them, not for others. */
export const onMergeRequest = (event: MergeRequestEvent, happened: Happened) => {
  switch (event._tag) {
    case "MergeRequestOpened":
      return onOpened(event, happened)
    case "MergeRequestChanged":
      return onChanged(event, happened)
    case "MergeRequestLabelsChanged":
    case "MergeRequestMilestoneChanged":
    case "MergeRequestClosed":
    case "MergeRequestMerged":
    case "MergeRequestApproved":
      return finishFor(event.by, happened)
    case "MergeabilityChecked":
      return onChecked(event, happened)
    default:
      return Effect.void
  }
}
